/** What was found, kept for a moment; who asks meanwhile waits for the same search. */
export type RememberBriefly = <Found>(name: string, look: () => Promise<Found>) => Promise<Found>;

/** Remembers up to `entries` finds for `forMs` each; a search that fails is not kept. */
export function createBriefMemory(
  { forMs, entries }: { forMs: number; entries: number },
  now: () => number = Date.now,
): RememberBriefly {
  const kept = new Map<string, { until: number; found: Promise<unknown> }>();
  return <Found>(name: string, look: () => Promise<Found>) => {
    const known = kept.get(name);
    if (known !== undefined && known.until > now()) return known.found as Promise<Found>;
    kept.delete(name);
    for (const oldest of kept.keys()) {
      if (kept.size < entries) break;
      kept.delete(oldest);
    }
    const found = look();
    const entry = { until: now() + forMs, found };
    kept.set(name, entry);
    found.catch(() => {
      if (kept.get(name) === entry) kept.delete(name);
    });
    return found;
  };
}
