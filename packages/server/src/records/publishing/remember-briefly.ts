/** Text that was found, or that there is none. */
type Found = string | undefined;

/** Keeps what was found for a moment; a request in the meantime waits for the same search. */
export type RememberBriefly = (name: string, look: () => Promise<Found>) => Promise<Found>;

interface Kept {
  until: number;
  found: Promise<Found>;
  characters: number;
}

/** Keeps up to `entries` texts of `characters` in all, for `forMs` each; a search that fails is not kept. */
export function createBriefMemory(
  { forMs, entries, characters }: { forMs: number; entries: number; characters: number },
  now: () => number = Date.now,
): RememberBriefly {
  const kept = new Map<string, Kept>();
  let held = 0;
  const forget = (name: string, entry: Kept) => {
    if (kept.get(name) !== entry) return;
    kept.delete(name);
    held -= entry.characters;
  };
  /** The entries stand in the order in which they end. */
  const makeRoom = () => {
    for (const [name, entry] of kept) {
      if (entry.until > now() && kept.size <= entries && held <= characters) return;
      forget(name, entry);
    }
  };
  return (name, look) => {
    const known = kept.get(name);
    if (known !== undefined && known.until > now()) return known.found;
    if (known !== undefined) forget(name, known);
    const entry: Kept = { until: now() + forMs, found: look(), characters: 0 };
    kept.set(name, entry);
    makeRoom();
    entry.found.then(
      (text = '') => {
        if (kept.get(name) !== entry) return;
        entry.characters = text.length;
        held += text.length;
        makeRoom();
      },
      () => forget(name, entry),
    );
    return entry.found;
  };
}
