import type { Database } from '../platform/db/database.js';
import { withTimeout } from '../platform/sleep-until.js';
import { type ChangedProjects, readChanges } from './changes.sql.js';

/** Detects changes of keys and projects by other nodes. */
export interface ChangeWatch {
  /**
   * Whether `onChange` was called for all changes that are at least `staleMs` old. Waits at most `timeoutMs` for the
   * database. During an outage, later calls resolve to false immediately.
   */
  confirm(): Promise<boolean>;
}

/** Times are in milliseconds. */
export interface WatchOptions {
  /** When the newest result is older than this, a request starts a new query in the background. */
  freshMs: number;
  /** When the newest result is older than this, cached entries are not used. */
  staleMs: number;
  timeoutMs: number;
  /** Called once for each outage. */
  reportFailure: (error: unknown) => void;
}

const USUAL: WatchOptions = { freshMs: 400, staleMs: 1_000, timeoutMs: 1_000, reportFailure: () => {} };

/** Sends queries only when requests need them. An embedded database needs none, because it has only one writer. */
export function watchChanges(
  control: Database,
  onChange: (projectIds: ChangedProjects) => void,
  options: Partial<WatchOptions> = {},
): ChangeWatch {
  if (control.engine === 'pglite') return { confirm: async () => true };
  const { freshMs, staleMs, timeoutMs, reportFailure } = { ...USUAL, ...options };
  let seen: number | undefined;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let isAway = false;

  async function ask(): Promise<void> {
    const askedAt = performance.now();
    try {
      const { count, projectIds } = await withTimeout(readChanges(control, seen), timeoutMs);
      if (count !== seen) onChange(projectIds);
      seen = count;
      confirmedAt = askedAt;
      isAway = false;
    } catch (error) {
      if (!isAway) reportFailure(error);
      isAway = true;
    }
  }

  function askOnce(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  const ageMs = () => performance.now() - confirmedAt;
  return {
    async confirm() {
      if (ageMs() < freshMs) return true;
      const poll = askOnce();
      // `poll` can be a query that another request has started. It finds all commits that are older than `staleMs`.
      if (ageMs() >= staleMs && !isAway) await poll;
      return ageMs() < staleMs;
    },
  };
}
