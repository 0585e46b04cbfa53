import { restAfter } from './scheduler.js';

/** After a step of background work, a project rests: no further step of it begins. */
export interface ProjectRests {
  /** The project then rests, if other projects have requests. */
  note(projectId: string, tookMs: number): void;
  /** Returns the milliseconds until each resting project may continue. */
  list(): ReadonlyMap<string, number>;
}

export interface ProjectRestsOptions {
  /** Whether other projects have requests. */
  isContended: (projectId: string) => boolean;
  /** Longest time from a step to the end of the rest. Parallel steps do not extend this time. */
  maxRestMs?: number;
  nowMs?: () => number;
}

const MAX_REST_MS = 1_000;

/** Shortest pause of a loop that waits for a rest. Prevents many searches that find nothing. */
export const MIN_REST_PAUSE_MS = 10;

/** A project rests three times as long as its steps took. The rests of parallel steps add up. */
export function createProjectRests({
  isContended,
  maxRestMs = MAX_REST_MS,
  nowMs = () => performance.now(),
}: ProjectRestsOptions): ProjectRests {
  const ends = new Map<string, number>();
  return {
    note(projectId, tookMs) {
      if (!isContended(projectId)) return;
      const now = nowMs();
      const leftMs = Math.max(0, (ends.get(projectId) ?? now) - now);
      ends.set(projectId, now + Math.min(leftMs + restAfter(tookMs), maxRestMs));
    },
    list() {
      const now = nowMs();
      for (const [projectId, end] of ends) if (end <= now) ends.delete(projectId);
      return new Map([...ends].map(([projectId, end]) => [projectId, end - now]));
    },
  };
}
