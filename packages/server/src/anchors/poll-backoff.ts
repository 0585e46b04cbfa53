import type { OpenAnchor } from './anchors.sql.js';

/** Maximum pause, as a number of poll intervals. */
const MAX_POLLS = 8;

export interface PollBackoff {
  isDue(anchors: readonly OpenAnchor[]): boolean;
  /** Pass the anchors as they were before the query. */
  noteAsked(anchors: readonly OpenAnchor[]): void;
  /** Makes `isDue` return true during the next `ms` milliseconds, because a caller waits. */
  hurry(ms: number): void;
}

/** While the anchors do not change, the pause between queries doubles. */
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
