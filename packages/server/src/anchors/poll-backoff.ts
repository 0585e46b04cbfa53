import type { OpenAnchor } from './anchors.sql.js';

/** After how many polls a chain is asked at the latest. */
const MAX_POLLS = 8;

/** When a chain on which nothing changes is asked again. */
export interface PollBackoff {
  /** Whether to ask it now what became of these anchors. */
  isDue(anchors: readonly OpenAnchor[]): boolean;
  /** It was asked about these anchors, as they were before. */
  noteAsked(anchors: readonly OpenAnchor[]): void;
  /** Somebody waits: for so long it is asked at every poll. */
  hurry(ms: number): void;
}

/**
 * Patience that grows: each time that the same anchors are in the same state as when it was asked last, it waits twice as
 * many polls, up to 8.
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
