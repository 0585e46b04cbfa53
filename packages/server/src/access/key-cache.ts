import type { KeyHolder } from './api-keys.sql.js';
import type { ChangeWatch } from './watch-changes.js';

/** Looks for a key in the database. */
export type LookForKey = (digest: Buffer) => Promise<(KeyHolder & { expiresAt: Date | null }) | undefined>;

/** Finds of a key look-up, kept until something changes. */
export interface KeyCache {
  /** The holder of the key with this digest; what was not found is looked for again. */
  read(digest: Buffer): Promise<KeyHolder | undefined>;
  /** Forgets everything, also what is being looked for right now. */
  clear(): void;
}

const MAX_REMEMBERED = 10_000;
/** Clocks of the service and the database may differ; what is remembered is asked again this often at least. */
const REMEMBERED_MS = 60_000;

/** Remembers finds for as long as `watch` confirms that nothing changed, and never beyond the key's own life. */
export function createKeyCache(look: LookForKey, watch: ChangeWatch, now: () => number = Date.now): KeyCache {
  const remembered = new Map<string, { holder: KeyHolder; until: number }>();
  let generation = 0;

  async function lookAndRemember(digest: Buffer, name: string): Promise<KeyHolder | undefined> {
    const asked = generation;
    const found = await look(digest);
    if (found === undefined) return undefined;
    const { expiresAt, ...holder } = found;
    const until = Math.min(now() + REMEMBERED_MS, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    // What changed meanwhile may not be in what was found.
    if (asked === generation) remembered.set(name, { holder, until });
    return holder;
  }

  return {
    async read(digest) {
      const name = digest.toString('base64');
      const isConfirmed = remembered.has(name) && (await watch.confirm());
      const known = isConfirmed ? remembered.get(name) : undefined;
      return known !== undefined && known.until > now() ? known.holder : lookAndRemember(digest, name);
    },
    clear() {
      generation++;
      remembered.clear();
    },
  };
}
