import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/db/database.js';
import { type Loop, startLoop } from '../../platform/jobs/leader-loop.js';
import { endLease, type Lease, releaseLease, takeLease } from '../../platform/jobs/lease.sql.js';
import { placeHeads } from '../place-heads.js';
import { listAnchoredLogs } from '../unanchored-projects.sql.js';
import { AuthorityError, requestToken } from './request-token.js';
import { insertTimestamp, listUnstampedLogs, readLastTimestampAge } from './timestamps.sql.js';
import { createVerifyToken, parseCertificates } from './verify-token.js';

export interface TimestampingSettings {
  /** Address of the time-stamping authority (RFC 3161 §3.4). */
  url: string;
  /** Certificates (PEM) at which the certificate chain of a token must end. Undefined: the chain is not checked. */
  trustAnchorsPem: string | undefined;
  /** Shortest time between two requests. */
  intervalMs: number;
}

export interface TimestampingParts {
  provenance: Database;
  control: Database;
  /** Called when a problem begins or changes. Called with `undefined` when the problem ends. */
  report: (trouble: Error | undefined) => void;
}

/** Margin for the time of a round, which reads up to 10,000 logs and sends one request. */
const LEASE_MARGIN_SECONDS = 30;
const MAX_HEADS = 10_000;
const MAX_POLL_MS = 10_000;

/**
 * Several nodes can run the loop; only one works at a time. It keeps the lease for longer than an interval, so all
 * nodes together send at most one request per interval.
 */
export function startTimestamping(
  { url, trustAnchorsPem, intervalMs }: TimestampingSettings,
  { provenance, control, report }: TimestampingParts,
): Loop {
  const stopping = new AbortController();
  const anchors = trustAnchorsPem === undefined ? undefined : parseCertificates(trustAnchorsPem);
  const authority = { url, verifyToken: createVerifyToken(anchors), stopping: stopping.signal };
  const lease: Lease = {
    name: 'timestamping',
    holder: randomUUID(),
    seconds: intervalMs / 1_000 + LEASE_MARGIN_SECONDS,
  };
  const pollMs = Math.min(intervalMs, MAX_POLL_MS);
  const note = createProblemReport(report);
  let isFirst = true;

  /** Returns whether a request was sent. */
  async function stampLogs(): Promise<boolean> {
    const list = (except: readonly string[]) => listUnstampedLogs(provenance, except, MAX_HEADS);
    const logs = await listAnchoredLogs(control, list);
    if (logs.length === 0) return false;
    const { root, heads } = await placeHeads(provenance, logs);
    const { token, time } = await requestToken(authority, root);
    await provenance.transaction((tx) => insertTimestamp(tx, { root, token, time, heads }));
    note(undefined);
    return true;
  }

  /** Returns the time until a request may follow the newest time-stamp. */
  async function readPauseMs(): Promise<number> {
    const ageSeconds = await readLastTimestampAge(provenance);
    return ageSeconds === undefined ? 0 : Math.max(intervalMs - ageSeconds * 1_000, 0);
  }

  async function step(): Promise<number> {
    // Only this process uses a PGlite database, so an existing lease is left from a crash of the service.
    if (isFirst && provenance.engine === 'pglite') await endLease(provenance, lease.name);
    isFirst = false;
    const pauseMs = await readPauseMs();
    if (pauseMs > 0) return Math.min(pauseMs, MAX_POLL_MS);
    if (!(await takeLease(provenance, lease))) return pollMs;
    return (await stampLogs().catch(noteAuthority)) ? intervalMs : pollMs;
  }

  /** Reports an error of the authority. Returns true, because a request was sent and the next request must wait. */
  function noteAuthority(error: unknown): true {
    if (!(error instanceof AuthorityError)) throw error;
    if (!stopping.signal.aborted) note(error);
    return true;
  }

  return startLoop({
    step,
    stopping,
    failurePauseMs: intervalMs,
    reportFailure: (error) => note(error instanceof Error ? error : new Error(String(error))),
    end: () => releaseLease(provenance, lease).catch((error: Error) => report(error)),
  });
}

/** Calls `report` only when a problem begins, changes or ends. */
function createProblemReport(report: TimestampingParts['report']): TimestampingParts['report'] {
  let trouble: string | undefined;
  return (error) => {
    if (error?.message !== trouble) report(error);
    trouble = error?.message;
  };
}
