import { randomUUID } from 'node:crypto';
import type { CosignatureVerifiers } from '@colophon/model';
import { keepLease, type Loop, startLoop } from '../platform/jobs/leader-loop.js';
import { endLease, type Lease, releaseLease, takeLease } from '../platform/jobs/lease.sql.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import { createBackoff } from './backoff.js';
import { cosignDueLogs, type WitnessingDeps } from './cosign-due-logs.js';
import type { RemoteWitness } from './request-cosignature.js';

export interface WitnessingSettings {
  witnesses: readonly RemoteWitness[];
  intervalMs: number;
  /** Time limit of one request. */
  timeoutMs: number;
}

export interface WitnessingParts {
  logs: TransparencyLogDeps;
  verify: CosignatureVerifiers;
  reportRefusal: WitnessingDeps['report'];
  reportFailure: (error: unknown) => void;
}

const LEASE_SECONDS = 30;
/** Longest pause after failed requests, unless the interval is longer. */
const MAX_PAUSE_MS = 300_000;

export interface Witnessing extends Loop {
  witnesses: readonly RemoteWitness[];
  /** Lists the witnesses that were not available at the last request of this node. */
  listSilent(): RemoteWitness[];
}

export function startWitnessing(
  { witnesses, intervalMs, timeoutMs }: WitnessingSettings,
  { logs, verify, reportRefusal, reportFailure }: WitnessingParts,
): Witnessing {
  const stopping = new AbortController();
  const backoff = createBackoff({ firstPauseMs: intervalMs, maxPauseMs: Math.max(intervalMs, MAX_PAUSE_MS) });
  const deps: WitnessingDeps = {
    ...{ logs, witnesses, backoff, verify, timeoutMs },
    stopping: stopping.signal,
    report: reportRefusal,
  };
  const lease: Lease = { name: 'witnessing', holder: randomUUID(), seconds: LEASE_SECONDS };
  const { provenance } = logs;
  const extend = () => takeLease(provenance, lease);
  let isFirst = true;

  async function step(): Promise<number> {
    // Only this process uses a PGlite database, so an existing lease is left from a crash of the service.
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
  const listSilent = () => witnesses.filter(({ id }) => backoff.hasFailed(id));
  return { ...loop, witnesses, listSilent };
}
