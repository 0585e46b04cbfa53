import type { OpenAnchor } from './anchors.sql.js';

/** The longest pause between two queries of the chain, in polls. */
const MAX_POLLS = 8;

/** Decides when to query a chain without changes again. */
export interface PollBackoff {
  /** Whether to query the chain about these anchors now. */
  isDue(anchors: readonly OpenAnchor[]): boolean;
  /** Notes a query of the chain about these anchors, in their state before it. */
  noteAsked(anchors: readonly OpenAnchor[]): void;
  /** Queries the chain at every poll during this time, since a caller waits. */
  hurry(ms: number): void;
}

/**
 * Creates an exponential backoff: while the state of the anchors does not change, the number of skipped polls
 * doubles, up to 8.
 */
export function createPollBackoff(
  pollMs: number,
  nowMs: () => number = () => performance.now(),
): PollBackoff {
  let known: string | undefined;
  let polls = 1;
  let askedMs = Number.NEGATIVE_INFINITY;
  let hurriesUntilMs = Number.NEGATIVE_INFINITY;
  return {
    isDue(anchors) {
      const isNew = describe(anchors) !== known || nowMs() < hurriesUntilMs;
      return isNew || nowMs() - askedMs >= polls * pollMs;
    },
    noteAsked(anchors) {
      const described = describe(anchors);
      polls = described === known ? Math.min(polls * 2, MAX_POLLS) : 1;
      known = described;
      askedMs = nowMs();
    },
    hurry(ms) {
      hurriesUntilMs = Math.max(hurriesUntilMs, nowMs() + ms);
    },
  };
}

function describe(anchors: readonly OpenAnchor[]): string {
  return anchors.map(({ id, state, transactions }) => `${id} ${state} ${transactions.length}`).join();
}
