import { lengthOf } from '../../platform/json-text.js';
import type { Answer } from '../read/answer-cache.js';

/** An answer; undefined when there is none. */
type BriefAnswer = Answer | undefined;

/** Caches the result of `look` for a moment. Concurrent requests share one look-up. */
export type BriefCache = (name: string, look: () => Promise<BriefAnswer>) => Promise<BriefAnswer>;

interface BriefEntry {
  until: number;
  found: Promise<BriefAnswer>;
  bytes: number;
}

/** Caches up to `entries` answers with `bytes` in all, for `forMs` each. A failed look-up is not cached. */
export function createBriefCache(
  { forMs, entries, bytes }: { forMs: number; entries: number; bytes: number },
  now: () => number = Date.now,
): BriefCache {
  const kept = new Map<string, BriefEntry>();
  let held = 0;
  const forget = (name: string, entry: BriefEntry) => {
    if (kept.get(name) !== entry) return;
    kept.delete(name);
    held -= entry.bytes;
  };
  /** Entries are ordered by the time at which they expire. */
  const makeRoom = () => {
    for (const [name, entry] of kept) {
      if (entry.until > now() && kept.size <= entries && held <= bytes) return;
      forget(name, entry);
    }
  };
  return (name, look) => {
    const known = kept.get(name);
    if (known !== undefined && known.until > now()) return known.found;
    if (known !== undefined) forget(name, known);
    const entry: BriefEntry = { until: now() + forMs, found: look(), bytes: 0 };
    kept.set(name, entry);
    makeRoom();
    entry.found.then(
      (answer) => {
        if (kept.get(name) !== entry || answer === undefined) return;
        entry.bytes = lengthOf(answer.body);
        held += entry.bytes;
        makeRoom();
      },
      () => forget(name, entry),
    );
    return entry.found;
  };
}
