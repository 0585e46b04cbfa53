import type { OpenAnchor } from './anchors.sql.js';

/** The chain is asked after at most this many polls. */
const MAX_POLLS = 8;

/** Decides when a chain without changes is asked again. */
export interface PollBackoff {
  /** Whether to ask the chain about these anchors now. */
  isDue(anchors: readonly OpenAnchor[]): boolean;
  /** Notes that the chain was asked about these anchors, in their former state. */
  noteAsked(anchors: readonly OpenAnchor[]): void;
  /** Asks the chain at every poll during this time, since a caller waits. */
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
