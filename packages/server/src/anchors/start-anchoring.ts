import { randomUUID } from 'node:crypto';
import type { Database } from '../platform/db/database.js';
import { type KeptLease, keepLease, startLoop, withLease } from '../platform/jobs/leader-loop.js';
import {
  endLease,
  LeaseLostError,
  noteOnLease,
  readLease,
  releaseLease,
  takeLease,
} from '../platform/jobs/lease.sql.js';
import { listOpenAnchors, type Registry, readLastAnchorAge, retargetAnchors } from './anchors.sql.js';
import { assertChainMatchesConfig } from './assert-chain-matches-config.js';
import { ChainTrouble } from './chain.js';
import type { AnchoringCounts, AnchoringDeps, AnchoringPace } from './deps.js';
import { followAnchors, type Sent } from './follow-anchors.js';
import { makeActionAnchors, makeHeadsAnchor } from './make-anchors.js';
import { createOnchainWaits, type OnchainWaits } from './onchain-waits.js';
import { type ChainAccess, openChain } from './open-chain.js';
import { createPollBackoff, type PollBackoff } from './poll-backoff.js';
import { isUnanchored } from './unanchored-projects.sql.js';

export interface AnchoringSettings {
  access: ChainAccess;
  registry: Registry;
  method: 'checkpoint' | 'action';
  pace: AnchoringPace;
  /** Maximum number of requests of one project that wait for an anchor. */
  maxProjectWaits: number;
}

export interface AnchoringParts {
  provenance: Database;
  control: Database;
  /** Called when a problem begins or changes, and when it ends. */
  report: (outcome: AnchoringOutcome) => void;
}

export interface Anchoring {
  /** Polls immediately. In the next `hurriesMs` milliseconds, queries the chain at every poll. */
  wake(hurriesMs: number): void;
  readonly counts: Readonly<AnchoringCounts>;
  /** Whether the service anchors the records of the project. */
  anchors(projectId: string): Promise<boolean>;
  readonly waits: OnchainWaits;
  /** Aborts when `close` is called. */
  readonly closing: AbortSignal;
  /** Reads the state on the node that has the lease: `ok`, `starting`, or the problem. */
  readWord(): Promise<string>;
  /** Stops after the current step. The next start, or another node, continues the work. */
  close(): Promise<void>;
}

const LEASE = 'anchoring';
const MAX_OPEN = 1_000;
/** Maximum number of anchors that no block contains yet. */
const MAX_UNMINED = { checkpoint: 1, action: 32 };
const IDLE_CHECK_MS = 30_000;

/** Several nodes can run this loop, but only one of them works at a time. */
export function startAnchoring(settings: AnchoringSettings, parts: AnchoringParts): Anchoring {
  const stopping = new AbortController();
  const { access, pace } = settings;
  const deps: AnchoringDeps = {
    provenance: parts.provenance,
    control: parts.control,
    registry: settings.registry,
    method: settings.method,
    pace,
    chain: openChain(access, stopping.signal),
    lease: { name: LEASE, holder: randomUUID(), seconds: pace.leaseSeconds },
    counts: { transactions: 0, replacements: 0, reorgs: 0, troubles: 0 },
  };
  const backoff = createPollBackoff(pace.pollSeconds * 1000);
  const round = createRound(deps, createWorker(deps, backoff), stopping.signal);
  let trouble: string | undefined;
  let failures = 0;

  /** Returns the pause in ms. After each failure, the pause doubles up to its maximum. */
  async function step(): Promise<number> {
    const outcome = await round();
    if (stopping.signal.aborted) return 0;
    if (outcome.trouble !== trouble) parts.report(outcome);
    trouble = outcome.trouble;
    failures = trouble === undefined ? 0 : failures + 1;
    return Math.min(pace.pollSeconds * 2 ** failures, pace.maxPauseSeconds) * 1000;
  }

  const loop = startLoop({
    step,
    stopping,
    failurePauseMs: pace.maxPauseSeconds * 1000,
    reportFailure: (error) => parts.report({ trouble: 'Anchoring failed.', error }),
    end: () =>
      releaseLease(deps.provenance, deps.lease).catch((error: unknown) =>
        parts.report({ trouble: 'The lease was not released.', error }),
      ),
  });
  return {
    wake(hurriesMs) {
      backoff.hurry(hurriesMs);
      loop.wake();
    },
    counts: deps.counts,
    waits: createOnchainWaits(deps.provenance, settings.maxProjectWaits),
    closing: stopping.signal,
    anchors: async (projectId) => !(await isUnanchored(parts.control, projectId)),
    async readWord() {
      const { note } = (await readLease(deps.provenance, LEASE)) ?? {};
      return note || 'starting';
    },
    close: loop.close,
  };
}

interface AnchoringOutcome {
  trouble: string | undefined;
  error?: unknown;
}

/** The function runs `work` if this node has the lease. */
function createRound(
  deps: AnchoringDeps,
  work: () => Promise<void>,
  stopping: AbortSignal,
): () => Promise<AnchoringOutcome> {
  const { provenance, lease, counts } = deps;
  let takenMs = Number.NEGATIVE_INFINITY;
  let noted: string | undefined;
  let isFirst = true;

  async function take(): Promise<boolean> {
    if (performance.now() - takenMs < renewMs) return true;
    if (isFirst && provenance.engine === 'pglite') await endLease(provenance, lease.name);
    isFirst = false;
    const askedMs = performance.now();
    const isTaken = await takeLease(provenance, lease);
    takenMs = isTaken ? askedMs : Number.NEGATIVE_INFINITY;
    if (!isTaken) noted = undefined;
    return isTaken;
  }

  async function note(said: string): Promise<void> {
    if (noted !== said) await noteOnLease(provenance, lease, said);
    noted = said;
  }

  const renewMs = (lease.seconds * 1000) / 3;
  return async () => {
    let held: KeptLease | undefined;
    try {
      if (!(await take())) return { trouble: undefined };
      held = keepLease({
        extend: take,
        seconds: lease.seconds,
        stopping,
        // Ignores the failure, because the next write fails if the node has lost the lease.
        reportFailure: () => undefined,
      });
      const outcome = await outcomeOf(work);
      if (outcome.trouble !== undefined) counts.troubles++;
      await note(outcome.trouble ?? 'ok');
      return outcome;
    } catch (error) {
      takenMs = Number.NEGATIVE_INFINITY;
      noted = undefined;
      if (error instanceof LeaseLostError) return { trouble: undefined };
      counts.troubles++;
      return { trouble: 'Anchoring failed.', error };
    } finally {
      held?.release();
    }
  };
}

async function outcomeOf(work: () => Promise<void>): Promise<AnchoringOutcome> {
  try {
    await work();
    return { trouble: undefined };
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    if (error instanceof ChainTrouble) return { trouble: error.message };
    return { trouble: 'Anchoring failed. The log of the service contains the reason.', error };
  }
}

/** The function does the work of one round. It keeps state between rounds. */
function createWorker(deps: AnchoringDeps, backoff: PollBackoff): () => Promise<void> {
  const { provenance, registry, method, pace } = deps;
  const sent: Sent = { at: new Map() };
  let checkedMs = Number.NEGATIVE_INFINITY;
  let isFirst = true;

  async function make(unmined: number): Promise<void> {
    const room = MAX_UNMINED[method] - unmined;
    if (room <= 0) return;
    const ageSeconds = await readLastAnchorAge(provenance);
    if (method === 'action' && !(isFirst && ageSeconds === undefined)) return makeActionAnchors(deps, room);
    // Even with the method `action`, the very first anchor covers the heads of logs with all their earlier records.
    if (ageSeconds !== undefined && ageSeconds < pace.everySeconds) return;
    await makeHeadsAnchor(deps);
  }

  return async () => {
    if (isFirst) await withLease(deps, (tx) => retargetAnchors(tx, registry));
    const before = await listOpenAnchors(provenance, registry, MAX_OPEN);
    await make(before.filter(({ state }) => state !== 'confirmed').length);
    isFirst = false;
    const open = await listOpenAnchors(provenance, registry, MAX_OPEN);
    if (open.length === 0 && performance.now() - checkedMs < IDLE_CHECK_MS) return;
    if (open.length > 0 && !backoff.isDue(open)) return;
    checkedMs = Number.NEGATIVE_INFINITY;
    await assertChainMatchesConfig(deps.chain, registry);
    await followAnchors(deps, open, sent);
    backoff.noteAsked(open);
    checkedMs = performance.now();
  };
}
