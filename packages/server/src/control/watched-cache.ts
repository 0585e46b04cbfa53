import { setNewest } from '../platform/work/set-newest.js';
import type { ChangedProjects } from './changes.sql.js';
import type { ChangeWatch } from './watch-changes.js';

export interface WatchedCache<Found> {
  /** Missing entries are not cached. */
  read(name: string): Promise<Found | undefined>;
  /** Removes the entries of these projects (default: all). Results of look-ups in progress are not cached either. */
  clear(projectIds?: ChangedProjects): void;
}

export interface CacheSource<Found> {
  /** `expiresAt: null` means no expiry. */
  look(name: string): Promise<{ found: Found; expiresAt: Date | null } | undefined>;
  /** The project whose changes affect an entry. */
  projectOf(name: string, found: Found): string;
}

interface CachedEntry<Found> {
  found: Found;
  until: number;
  /** Number of clearances before the look-up began. */
  since: number;
}

const MAX_REMEMBERED = 10_000;
/** Maximum number of projects whose last clearance the cache remembers. */
const MAX_CLEARED = 10_000;
/** Maximum age of an entry. The clocks of the service and the database may differ, so `expiresAt` is not precise. */
const REMEMBERED_MS = 60_000;

/** Returns a cached entry only if `watch` confirms that nothing has changed, and only before the entry expires. */
export function createWatchedCache<Found>(
  { look, projectOf }: CacheSource<Found>,
  watch: ChangeWatch,
  now: () => number = Date.now,
): WatchedCache<Found> {
  const remembered = new Map<string, CachedEntry<Found>>();
  let clearances = 0;
  /** Sequence number of the last clearance of all entries. */
  let clearedAll = 0;
  /** Maps a project to the sequence number of its last clearance, if this number is above `clearedAll`. */
  const clearedAt = new Map<string, number>();

  function clearAll(): void {
    clearedAll = clearances;
    clearedAt.clear();
    remembered.clear();
  }

  /** Whether the look-up of an entry began after the newest clearance of its project. */
  function isCurrent(name: string, { found, since }: CachedEntry<Found>): boolean {
    return since >= (clearedAt.get(projectOf(name, found)) ?? clearedAll);
  }

  function remember(name: string, entry: CachedEntry<Found>): void {
    // The result can lack a change that was made during the look-up.
    if (!isCurrent(name, entry)) return;
    setNewest(remembered, name, entry, MAX_REMEMBERED);
  }

  async function lookAndRemember(name: string): Promise<Found | undefined> {
    const since = clearances;
    const answer = await look(name);
    if (answer === undefined) return undefined;
    const { found, expiresAt } = answer;
    const until = Math.min(now() + REMEMBERED_MS, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    remember(name, { found, until, since });
    return found;
  }

  return {
    async read(name) {
      const isConfirmed = remembered.has(name) && (await watch.confirm());
      const known = isConfirmed ? remembered.get(name) : undefined;
      const isValid = known !== undefined && known.until > now() && isCurrent(name, known);
      return isValid ? known.found : lookAndRemember(name);
    },
    clear(projectIds) {
      clearances += 1;
      for (const projectId of projectIds ?? []) clearedAt.set(projectId, clearances);
      if (projectIds === undefined || clearedAt.size > MAX_CLEARED) clearAll();
    },
  };
}
