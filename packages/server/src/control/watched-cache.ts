import type { ChangeWatch } from './watch-changes.js';

/** A cache of rows of the control plane. A change there clears it. */
export interface WatchedCache<Found> {
  /** Returns the entry with this name. A missing entry is looked up again next time. */
  read(name: string): Promise<Found | undefined>;
  /** Clears the cache. Look-ups in progress are not cached either. */
  clear(): void;
}

/** Looks an entry up. It expires at `expiresAt`; null: never. */
export type LookUp<Found> = (name: string) => Promise<{ found: Found; expiresAt: Date | null } | undefined>;

const MAX_REMEMBERED = 10_000;
/** Longest use of an entry that expires, since the clocks of the service and the database may differ. */
const REMEMBERED_MS = 60_000;

/** Caches entries while `watch` confirms that nothing changed, and never beyond their expiry. */
export function createWatchedCache<Found>(
  look: LookUp<Found>,
  watch: ChangeWatch,
  now: () => number = Date.now,
): WatchedCache<Found> {
  const remembered = new Map<string, { found: Found; until: number }>();
  let generation = 0;

  async function lookAndRemember(name: string): Promise<Found | undefined> {
    const startGeneration = generation;
    const answer = await look(name);
    if (answer === undefined) return undefined;
    const { found, expiresAt } = answer;
    const until = Math.min(now() + REMEMBERED_MS, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    // A change during the look-up may be missing from its result.
    if (startGeneration === generation) remembered.set(name, { found, until });
    return found;
  }

  return {
    async read(name) {
      const isConfirmed = remembered.has(name) && (await watch.confirm());
      const known = isConfirmed ? remembered.get(name) : undefined;
      return known !== undefined && known.until > now() ? known.found : lookAndRemember(name);
    },
    clear() {
      generation++;
      remembered.clear();
    },
  };
}
