import { randomUUID } from 'node:crypto';
import { keepLease, startLoop } from '../platform/jobs/leader-loop.js';
import { type Lease, releaseLease, takeLease } from '../platform/jobs/lease.sql.js';
import { sleepUntil } from '../platform/sleep-until.js';
import { readLogSize } from '../transparency-log/log.sql.js';
import { isOfInputs } from './check-edges.js';
import { checkPart } from './check-part.js';
import { parseCursor } from './cursor.js';
import {
  type CheckCounts,
  type IntegrityCursor,
  type IntegrityDeps,
  type IntegrityFinding,
  type IntegrityVisit,
  STAGES,
  type Stage,
} from './deps.js';
import { endPass, readNextProject, readPass, savePass } from './integrity.sql.js';

export interface IntegritySettings extends Pick<IntegrityDeps, 'provenance' | 'blobs'> {
  /** Time from the end of one pass to the start of the next. */
  intervalMs: number;
  /** Interval at which an idle node checks whether a pass is due, or was left unfinished by another node. */
  pollMs?: number;
  /** Maximum share of one thread's time, above 0 and up to 1. */
  share?: number;
  leaseSeconds?: number;
  onFinding: (finding: IntegrityFinding) => void;
  reportFailure: (error: unknown) => void;
}

export interface IntegrityCheck {
  readonly checked: ReadonlyMap<Stage, number>;
  /** Stops the pass. The next node repeats the interrupted step. */
  close(): Promise<void>;
}

const DEFAULT_POLL_MS = 30_000;
const DEFAULT_SHARE = 0.1;
const DEFAULT_LEASE_SECONDS = 60;
/** Maximum number of projects that take turns. Each step stores the positions in all of them. */
const MAX_VISITS = 32;
/** A stage ends early after more than this number of newer items. For a larger log, the limit is its size. */
const MIN_NEWER = 1_000;
/** Factor of this limit in the stage `edge`, because an action has many edges. */
const EDGES_PER_LEAF = 10;

/**
 * Checks records and bytes in repeated passes, on the node that has the lease. Projects take turns, one step each. A
 * pass can skip items of a project that records faster than the check reads; their earlier findings stay.
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
  const readSize = (projectId: string) => readLogSize(provenance, projectId);
  let cursor = pass.cursor === null ? { visits: [] } : await parseCursor(pass.cursor, readSize);
  const beginVisits = createBeginVisits(deps);
  cursor = await beginVisits(cursor);
  for (let [visit] = cursor.visits; visit !== undefined && !signal.aborted; [visit] = cursor.visits) {
    const counts = await checkPart(deps, visit);
    if (signal.aborted) return;
    checked.set(visit.stage, (checked.get(visit.stage) ?? 0) + counts.count);
    counts.findings.forEach(onFinding);
    const next = await beginVisits(endTurn(cursor, toNext(visit, counts)));
    const saved = next.visits.length > 0 ? next : cursor;
    const kept = isCut(visit, counts) ? visit : undefined;
    await savePass(provenance, { number, cursor: saved, findings: counts.findings, kept });
    cursor = next;
    await deps.rest();
  }
  if (!signal.aborted) await endPass(provenance, number);
}

function endTurn(cursor: IntegrityCursor, next: IntegrityVisit | undefined): IntegrityCursor {
  const others = cursor.visits.slice(1);
  return { ...cursor, visits: next === undefined ? others : [...others, next] };
}

/** Returns undefined at the end of the visit. */
function toNext(visit: IntegrityVisit, counts: CheckCounts): IntegrityVisit | undefined {
  const { projectId, stage, size } = visit;
  const { after } = counts;
  if (after !== undefined && !isCut(visit, counts))
    return { ...visit, after, newer: beginsOutputs(visit, after) ? 0 : visit.newer + counts.newer };
  if (after !== undefined && isOfInputs(visit)) return { ...visit, after: 'out', newer: 0 };
  const next = STAGES[STAGES.indexOf(stage) + 1];
  return next === undefined ? undefined : { projectId, stage: next, size, newer: 0 };
}

/** Without an early end, a pass would never end for a project that records faster than the check reads. */
function isCut(visit: IntegrityVisit, { after, newer }: CheckCounts): boolean {
  const { stage, size } = visit;
  const maxNewer = Math.max(size, MIN_NEWER) * (stage === 'edge' ? EDGES_PER_LEAF : 1);
  return after !== undefined && !beginsOutputs(visit, after) && visit.newer + newer > maxNewer;
}

/** Whether the next step begins the outputs. */
function beginsOutputs(visit: IntegrityVisit, after: string): boolean {
  return isOfInputs(visit) && after === 'out';
}

function createBeginVisits({ provenance }: IntegrityDeps) {
  let hasBegunAll = false;
  return async (cursor: IntegrityCursor): Promise<IntegrityCursor> => {
    const visits = [...cursor.visits];
    let { begun } = cursor;
    while (visits.length < MAX_VISITS && !hasBegunAll) {
      const projectId = await readNextProject(provenance, begun);
      hasBegunAll = projectId === undefined;
      if (projectId === undefined) break;
      visits.push({ projectId, stage: STAGES[0], size: await readLogSize(provenance, projectId), newer: 0 });
      begun = projectId;
    }
    return { visits, begun };
  };
}

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
