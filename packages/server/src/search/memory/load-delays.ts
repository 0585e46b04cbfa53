import { setNewest } from '../../platform/work/set-newest.js';

/** Bounds of the delay before the next load of a project that was evicted or could not be read. */
const LEAST_MS = 30_000;
const MOST_MS = 60 * 60_000;
/** A project that stayed in memory for this multiple of its delay gets the shortest delay again. */
const LONG_HELD_DELAYS = 10;
const MAX_DELAYS = 10_000;

/**
 * Delays the next load of a project. Each eviction doubles the delay, so a project that is too large is rarely loaded.
 */
export interface LoadDelays {
  mayLoad(projectId: string): boolean;
  noteFailure(projectId: string): void;
  /** `heldMs`: time since the project began to load. */
  noteEviction(projectId: string, heldMs: number): void;
}

export function createLoadDelays(now: () => number): LoadDelays {
  const delays = new Map<string, { delayMs: number; untilMs: number }>();

  function delay(projectId: string, ms: number): void {
    const delayMs = Math.min(Math.max(ms, LEAST_MS), MOST_MS);
    setNewest(delays, projectId, { delayMs, untilMs: now() + delayMs }, MAX_DELAYS);
  }

  const lastOf = (projectId: string) => delays.get(projectId)?.delayMs ?? 0;
  return {
    mayLoad: (projectId) => now() >= (delays.get(projectId)?.untilMs ?? 0),
    noteFailure: (projectId) => delay(projectId, lastOf(projectId)),
    noteEviction(projectId, heldMs) {
      const last = lastOf(projectId);
      delay(projectId, heldMs > last * LONG_HELD_DELAYS ? LEAST_MS : last * 2);
    },
  };
}
