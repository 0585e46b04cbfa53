import { randomUUID } from 'node:crypto';
import type { VerifySignature } from '@colophon/model';
import { keepLease, type Loop, startLoop } from '../platform/jobs/leader-loop.js';
import { endLease, type Lease, releaseLease, takeLease } from '../platform/jobs/lease.sql.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import { createAwayList } from './away-list.js';
import { cosignDueLogs, type WitnessingDeps } from './cosign-due-logs.js';
import type { RemoteWitness } from './request-cosignature.js';

export interface WitnessingSettings {
  witnesses: readonly RemoteWitness[];
  intervalMs: number;
  /** Time limit of one request to a witness. */
  timeoutMs: number;
}

export interface WitnessingParts {
  logs: TransparencyLogDeps;
  verify: VerifySignature;
  reportRefusal: WitnessingDeps['report'];
  reportFailure: (error: unknown) => void;
}

const LEASE_SECONDS = 30;
/** A witness that is away for longer gets a request at most every five minutes. */
const MAX_PAUSE_MS = 300_000;

export interface Witnessing extends Loop {
  witnesses: readonly RemoteWitness[];
  /** Lists the witnesses that did not answer the last request of this node. */
  listSilent(): RemoteWitness[];
}

/** Requests cosignatures until it is closed. Several nodes can run it, but only one of them works at a time. */
export function startWitnessing(
  { witnesses, intervalMs, timeoutMs }: WitnessingSettings,
  { logs, verify, reportRefusal, reportFailure }: WitnessingParts,
): Witnessing {
  const stopping = new AbortController();
  const away = createAwayList({ firstPauseMs: intervalMs, maxPauseMs: Math.max(intervalMs, MAX_PAUSE_MS) });
  const deps: WitnessingDeps = {
    ...{ logs, witnesses, away, verify, timeoutMs },
    stopping: stopping.signal,
    report: reportRefusal,
  };
  const lease: Lease = { name: 'witnessing', holder: randomUUID(), seconds: LEASE_SECONDS };
  const { provenance } = logs;
  const extend = () => takeLease(provenance, lease);
  let isFirst = true;

  async function step(): Promise<number> {
    // No other process uses a PGlite database, so a lease in it is left from a crash.
    if (isFirst && provenance.engine === 'pglite') await endLease(provenance, lease.name);
    isFirst = false;
    if (!(await extend())) return intervalMs;
    const held = keepLease({ extend, seconds: LEASE_SECONDS, stopping: stopping.signal, reportFailure });
    try {
      await cosignDueLogs({ ...deps, stopping: held.ended });
    } finally {
      held.release();
    }
    return intervalMs;
  }

  const loop = startLoop({
    step,
    stopping,
    failurePauseMs: Math.max(intervalMs, 1_000),
    reportFailure,
    end: () => releaseLease(provenance, lease).catch(reportFailure),
  });
  const listSilent = () => witnesses.filter(({ keyText }) => away.hasFailed(keyText));
  return { ...loop, witnesses, listSilent };
}
