import type { Database } from '../platform/db/database.js';
import { withTimeout } from '../platform/sleep-until.js';
import { readChangeCount } from './changes.sql.js';

/** Detects changes of keys and projects that other nodes make. */
export interface ChangeWatch {
  /**
   * Whether `onChange` was called for every change committed at least a second ago. Usually answers immediately. When the
   * database times out, this returns false, and then false immediately until the database answers.
   */
  confirm(): Promise<boolean>;
}

/** Times in milliseconds. */
export interface WatchOptions {
  /** After this time an entry is confirmed again, in the background of a request. */
  freshMs: number;
  /** After this time an entry is no longer used without confirmation. */
  staleMs: number;
  /** Timeout of the database query. */
  timeoutMs: number;
  /** Called once for each outage. */
  reportFailure: (error: unknown) => void;
}

const USUAL: WatchOptions = { freshMs: 400, staleMs: 1_000, timeoutMs: 1_000, reportFailure: () => {} };

/**
 * Polls the count of changes, but only while requests need it, so an idle node sends no queries. With an embedded
 * database this process is the only writer, and no poll is needed.
 */
export function watchChanges(
  control: Database,
  onChange: () => void,
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
      const count = await withTimeout(readChangeCount(control), timeoutMs);
      if (count !== seen) onChange();
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
      // A poll that has just begun may miss later commits. It covers everything older than `staleMs`.
      if (ageMs() >= staleMs && !isAway) await poll;
      return ageMs() < staleMs;
    },
  };
}
