import type { Principal } from '../control/api-keys.sql.js';
import type { ChangeWatch } from '../control/watch-changes.js';
import { createWatchedCache } from '../control/watched-cache.js';

export type LookForKey = (digest: Buffer) => Promise<(Principal & { expiresAt: Date | null }) | undefined>;

/** Cached results of key look-ups, valid until something changes. */
export interface KeyCache {
  /** Returns the principal of the key with this digest. Unknown keys are not cached. */
  read(digest: Buffer): Promise<Principal | undefined>;
  /** Clears the cache. Look-ups in progress are not cached either. */
  clear(): void;
}

/** Caches found keys while `watch` confirms that nothing changed, and never beyond the expiry of the key. */
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
