import type { ChangedProjects } from '../control/changes.sql.js';
import type { KeyPrincipal } from '../control/principal.js';
import type { ChangeWatch } from '../control/watch-changes.js';
import { createWatchedCache } from '../control/watched-cache.js';

export type LookForKey = (digest: Buffer) => Promise<(KeyPrincipal & { expiresAt: Date | null }) | undefined>;

export interface KeyCache {
  /** Returns undefined for an unknown key, and does not cache this result. */
  read(digest: Buffer): Promise<KeyPrincipal | undefined>;
  /** Removes the keys of these projects (default: all). Look-ups in progress do not enter the cache either. */
  clear(projectIds?: ChangedProjects): void;
}

/** Returns a cached key only before it expires, and only if `watch` confirms that nothing has changed. */
export function createKeyCache(look: LookForKey, watch: ChangeWatch, now?: () => number): KeyCache {
  const cache = createWatchedCache<KeyPrincipal>(
    {
      async look(name) {
        const key = await look(Buffer.from(name, 'base64'));
        if (key === undefined) return undefined;
        const { expiresAt, ...found } = key;
        return { found, expiresAt };
      },
      projectOf: (_, { projectId }) => projectId,
    },
    watch,
    now,
  );
  return { read: (digest) => cache.read(digest.toString('base64')), clear: cache.clear };
}
