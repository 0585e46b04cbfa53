import type { ChangeWatch } from './watch-changes.js';

export interface WatchedCache<Found> {
  /** Reads an entry. Missing entries are not cached. */
  read(name: string): Promise<Found | undefined>;
  /** Clears the cache. Results of look-ups in progress are not cached either. */
  clear(): void;
}

/** Looks up an entry. `expiresAt: null` means no expiry. */
export type LookUp<Found> = (name: string) => Promise<{ found: Found; expiresAt: Date | null } | undefined>;

const MAX_REMEMBERED = 10_000;
/**
 * Maximum age of an entry. It is necessary because the clocks of service and database may differ, so `expiresAt` is not
 * precise.
 */
const REMEMBERED_MS = 60_000;

/** Caches entries while `watch` confirms that nothing has changed, and not after their expiry. */
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
    // The result may not contain a change that happened during the look-up.
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
