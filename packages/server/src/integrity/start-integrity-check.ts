import { randomUUID } from 'node:crypto';
import { keepLease, startLoop } from '../platform/jobs/leader-loop.js';
import { type Lease, releaseLease, takeLease } from '../platform/jobs/lease.sql.js';
import { sleepUntil } from '../platform/sleep-until.js';
import { checkPart } from './check-part.js';
import {
  type IntegrityCursor,
  type IntegrityDeps,
  type IntegrityFinding,
  STAGES,
  type Stage,
} from './deps.js';
import { endPass, readNextProject, readPass, savePass } from './integrity.sql.js';

export interface IntegritySettings extends Pick<IntegrityDeps, 'provenance' | 'blobs'> {
  /** Time from the end of one pass to the start of the next. */
  intervalMs: number;
  /** Interval at which an idle node checks whether a pass is due or was left unfinished by another node. */
  pollMs?: number;
  /** Maximum share of one thread's time, above 0 and up to 1. */
  share?: number;
  leaseSeconds?: number;
  onFinding: (finding: IntegrityFinding) => void;
  reportFailure: (error: unknown) => void;
}

/** `checked`: number of items that this process checked. */
export interface IntegrityCheck {
  readonly checked: ReadonlyMap<Stage, number>;
  /** Stops the pass. The next node repeats the interrupted step. */
  close(): Promise<void>;
}

const DEFAULT_POLL_MS = 30_000;
const DEFAULT_SHARE = 0.1;
const DEFAULT_LEASE_SECONDS = 60;

/**
 * Checks all records and bytes in repeated passes and reports every finding. Only the node that has the lease works.
 * The position is stored, so another node can continue the pass.
 */
export function startIntegrityCheck(settings: IntegritySettings): IntegrityCheck {
  const { provenance, intervalMs, pollMs = DEFAULT_POLL_MS, leaseSeconds = DEFAULT_LEASE_SECONDS } = settings;
  const { reportFailure } = settings;
  const lease: Lease = { name: 'audit', holder: randomUUID(), seconds: leaseSeconds };
  const stopping = new AbortController();
  const checked = new Map<Stage, number>();

  async function lead(): Promise<void> {
    const held = keepLease({
      extend: () => takeLease(provenance, lease),
      seconds: leaseSeconds,
      stopping: stopping.signal,
      reportFailure,
    });
    try {
      await runPass({ settings, checked, signal: held.ended });
    } finally {
      held.release();
      await releaseLease(provenance, lease);
    }
  }

  const { close } = startLoop({
    step: async () => {
      const pass = await readPass(provenance);
      const isDue = pass.cursor !== null || pass.idleMs >= intervalMs;
      if (isDue && (await takeLease(provenance, lease))) await lead();
      return pollMs;
    },
    stopping,
    failurePauseMs: pollMs,
    reportFailure,
  });
  return { checked, close };
}

interface Running {
  settings: IntegritySettings;
  checked: Map<Stage, number>;
  /** Aborts when the service stops or the node loses the lease. */
  signal: AbortSignal;
}

async function runPass({ settings, checked, signal }: Running): Promise<void> {
  const { provenance, blobs, onFinding, share = DEFAULT_SHARE } = settings;
  const deps: IntegrityDeps = { provenance, blobs, rest: createRest(share, signal) };
  const pass = await readPass(provenance);
  const number = pass.cursor === null ? pass.number + 1 : pass.number;
  let cursor = pass.cursor ?? (await nextProject(deps));
  while (cursor !== undefined && !signal.aborted) {
    const { count, findings, after } = await checkPart(deps, cursor);
    if (signal.aborted) return;
    checked.set(cursor.stage, (checked.get(cursor.stage) ?? 0) + count);
    findings.forEach(onFinding);
    const next: IntegrityCursor | undefined =
      after === undefined ? await nextStage(deps, cursor) : { ...cursor, after };
    await savePass(provenance, { number, cursor: next ?? cursor, findings });
    cursor = next;
    await deps.rest();
  }
  if (!signal.aborted) await endPass(provenance, number);
}

async function nextStage(
  deps: IntegrityDeps,
  { projectId, stage }: IntegrityCursor,
): Promise<IntegrityCursor | undefined> {
  const next = STAGES[STAGES.indexOf(stage) + 1];
  return next === undefined ? nextProject(deps, projectId) : { projectId, stage: next };
}

async function nextProject(
  { provenance }: IntegrityDeps,
  after?: string,
): Promise<IntegrityCursor | undefined> {
  const projectId = await readNextProject(provenance, after);
  return projectId === undefined ? undefined : { projectId, stage: STAGES[0] };
}

/** Returns a function that pauses after work, so that the work takes only its share of the time. */
function createRest(share: number, signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    const workedMs = performance.now() - since;
    // Timers are not precise enough for pauses after shorter work.
    if (workedMs < 5) return;
    await sleepUntil(workedMs * (1 / share - 1), signal);
    since = performance.now();
  };
}
