import { randomUUID } from 'node:crypto';
import { type Lease, releaseLease, takeLease } from '../../jobs/lease.sql.js';
import { sleepUntil } from '../../sleep-until.js';
import { endPass, readNextProject, readPass, savePass } from './audit.sql.js';
import { checkPart } from './check-part.js';
import { type AuditCursor, type AuditFinding, type AuditNeeds, STAGES, type Stage } from './needs.js';

/** What a running audit needs. */
export interface AuditSettings extends Pick<AuditNeeds, 'provenance' | 'blobs'> {
  /** From the end of one pass to the start of the next. */
  intervalMs: number;
  /** How often an idle node looks whether a pass is due, or its leader gone. */
  pollMs?: number;
  /** The part of one thread's time that a pass may take, above 0 and up to 1. */
  share?: number;
  leaseSeconds?: number;
  onFinding: (finding: AuditFinding) => void;
  reportFailure: (error: unknown) => void;
}

/** A running audit. `checked` counts what this process looked at. */
export interface Audit {
  readonly checked: ReadonlyMap<Stage, number>;
  /** Stops within the part under way; the next leader goes on from there. */
  close(): Promise<void>;
}

const DEFAULT_POLL_MS = 30_000;
const DEFAULT_SHARE = 0.1;
const DEFAULT_LEASE_SECONDS = 60;

/**
 * Reads again, pass by pass, all that was recorded and stored, and tells what is not as it was. Of any number of
 * nodes one does it; how far it came is kept, so that a pass outlives its leader.
 */
export function startAudit(settings: AuditSettings): Audit {
  const { provenance, intervalMs, pollMs = DEFAULT_POLL_MS, leaseSeconds = DEFAULT_LEASE_SECONDS } = settings;
  const lease: Lease = { name: 'audit', holder: randomUUID(), seconds: leaseSeconds };
  const stopping = new AbortController();
  const checked = new Map<Stage, number>();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const pass = await readPass(provenance);
        const isDue = pass.cursor !== null || pass.idleMs >= intervalMs;
        if (isDue && (await takeLease(provenance, lease))) await lead();
      } catch (error) {
        if (!stopping.signal.aborted) settings.reportFailure(error);
      }
      await sleepUntil(pollMs, stopping.signal);
    }
  }

  /** Goes on with the pass, or begins one, while the lease is held. */
  async function lead(): Promise<void> {
    const held = holdLease({ settings, lease, stopping: stopping.signal });
    try {
      await runPass({ settings, checked, signal: held.signal });
    } finally {
      await held.release();
    }
  }

  const ended = loop();
  return {
    checked,
    close: () => {
      stopping.abort();
      return ended;
    },
  };
}

interface Running {
  settings: AuditSettings;
  checked: Map<Stage, number>;
  /** Aborts when the service stops or the lease is lost. */
  signal: AbortSignal;
}

async function runPass({ settings, checked, signal }: Running): Promise<void> {
  const { provenance, blobs, onFinding, share = DEFAULT_SHARE } = settings;
  const needs: AuditNeeds = { provenance, blobs, rest: createRest(share, signal) };
  const pass = await readPass(provenance);
  const number = pass.cursor === null ? pass.number + 1 : pass.number;
  let cursor = pass.cursor ?? (await nextProject(needs));
  while (cursor !== undefined && !signal.aborted) {
    const { count, findings, after } = await checkPart(needs, cursor);
    if (signal.aborted) return;
    checked.set(cursor.stage, (checked.get(cursor.stage) ?? 0) + count);
    findings.forEach(onFinding);
    const next: AuditCursor | undefined =
      after === undefined ? await nextStage(needs, cursor) : { ...cursor, after };
    await savePass(provenance, { number, cursor: next ?? cursor, findings });
    cursor = next;
    await needs.rest();
  }
  if (!signal.aborted) await endPass(provenance, number);
}

async function nextStage(
  needs: AuditNeeds,
  { projectId, stage }: AuditCursor,
): Promise<AuditCursor | undefined> {
  const next = STAGES[STAGES.indexOf(stage) + 1];
  return next === undefined ? nextProject(needs, projectId) : { projectId, stage: next };
}

async function nextProject({ provenance }: AuditNeeds, after?: string): Promise<AuditCursor | undefined> {
  const projectId = await readNextProject(provenance, after);
  return projectId === undefined ? undefined : { projectId, stage: STAGES[0] };
}

/** Waits as much longer than was worked since the last wait as leaves the work its share of the time. */
function createRest(share: number, signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    const workedMs = performance.now() - since;
    // A timer is not exact enough for less.
    if (workedMs < 5) return;
    await sleepUntil(workedMs * (1 / share - 1), signal);
    since = performance.now();
  };
}

function holdLease({
  settings,
  lease,
  stopping,
}: {
  settings: AuditSettings;
  lease: Lease;
  stopping: AbortSignal;
}) {
  const lost = new AbortController();
  const extend = async () => {
    if (!(await takeLease(settings.provenance, lease))) lost.abort();
  };
  const timer = setInterval(() => void extend().catch(settings.reportFailure), (lease.seconds * 1000) / 3);
  return {
    signal: AbortSignal.any([stopping, lost.signal]),
    release: () => {
      clearInterval(timer);
      return releaseLease(settings.provenance, lease);
    },
  };
}
