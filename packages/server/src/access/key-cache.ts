import type { Principal } from '../control/api-keys.sql.js';
import type { ChangeWatch } from '../control/watch-changes.js';
import { createWatchedCache } from '../control/watched-cache.js';

export type LookForKey = (digest: Buffer) => Promise<(Principal & { expiresAt: Date | null }) | undefined>;

export interface KeyCache {
  /** Unknown keys are not cached. */
  read(digest: Buffer): Promise<Principal | undefined>;
  /** Clears the cache. Results of look-ups in progress are not cached either. */
  clear(): void;
}

/** Caches keys while `watch` confirms that nothing has changed, and never longer than they are valid. */
export function createKeyCache(look: LookForKey, watch: ChangeWatch, now?: () => number): KeyCache {
  const cache = createWatchedCache<Principal>(
    async (name) => {
      const key = await look(Buffer.from(name, 'base64'));
      if (key === undefined) return undefined;
      const { expiresAt, ...found } = key;
      return { found, expiresAt };
    },
    watch,
    now,
  );
  return { read: (digest) => cache.read(digest.toString('base64')), clear: cache.clear };
}
