import type { Database } from '../db/database.js';
import { readChangeCount } from './changes.sql.js';

/** Learns of changes of keys and projects that other nodes make. */
export interface ChangeWatch {
  /**
   * Resolves when every change that was committed a second ago has been told to `onChange`. Usually at once;
   * rejects when the database cannot be asked.
   */
  confirm(): Promise<void>;
}

/** Times in milliseconds. */
export interface WatchTerms {
  /** What was confirmed this long ago is confirmed again, beside the request. */
  freshMs: number;
  /** What was confirmed this long ago is not believed any more. */
  staleMs: number;
}

const USUAL: WatchTerms = { freshMs: 400, staleMs: 1_000 };

/**
 * Polls the count of changes, but only while requests ask: an idle node asks nothing. Where this process is the
 * only one that writes (an embedded database), there is nothing to ask.
 */
export function watchChanges(
  control: Database,
  onChange: () => void,
  { freshMs, staleMs }: WatchTerms = USUAL,
): ChangeWatch {
  if (control.engine === 'pglite') return { confirm: async () => {} };
  let seen: number | undefined;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    const askedAt = performance.now();
    const count = await readChangeCount(control);
    if (count !== seen) onChange();
    seen = count;
    confirmedAt = askedAt;
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
      if (ageMs() < freshMs) return;
      if (ageMs() < staleMs) {
        // Whoever comes after a second asks again and hears of the failure.
        askOnce().catch(() => {});
        return;
      }
      // What was asked before this request came may not tell of what was committed just before it.
      await asking;
      if (ageMs() >= staleMs) await askOnce();
    },
  };
}
