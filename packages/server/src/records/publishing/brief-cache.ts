import { lengthOf } from '../../platform/json-text.js';
import type { Answer } from '../read/answer-cache.js';

type BriefAnswer = Answer | undefined;

/** Returns the cached result of `look`, or calls it. Concurrent calls with the same name share one result. */
export type BriefCache = (name: string, look: () => Promise<BriefAnswer>) => Promise<BriefAnswer>;

interface BriefEntry {
  until: number;
  found: Promise<BriefAnswer>;
  bytes: number;
}

/** Caches up to `entries` results of up to `bytes` in total, each for `forMs` milliseconds. Errors are not cached. */
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
  /** The map is in order of expiry, so the loop deletes the oldest entries first. */
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
