import { lengthOf } from '../../platform/json-text.js';
import type { Answer } from '../read/answer-cache.js';

/** An answer that was found, or that there is none. */
type BriefAnswer = Answer | undefined;

/** Keeps what was found for a moment; a request in the meantime waits for the same search. */
export type BriefCache = (name: string, look: () => Promise<BriefAnswer>) => Promise<BriefAnswer>;

interface BriefEntry {
  until: number;
  found: Promise<BriefAnswer>;
  bytes: number;
}

/** Keeps up to `entries` answers of `bytes` in all, for `forMs` each; a search that fails is not kept. */
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
  /** The entries stand in the order in which they end. */
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
