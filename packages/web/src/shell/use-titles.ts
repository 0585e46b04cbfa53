import type { Client } from '@colophon/sdk';
import { useCallback, useEffect, useState } from 'react';

/** Maximum number of contents whose titles a view reads. */
const MAX_CONTENTS = 2_000;

/** Titles of contents, by CID. */
export type Titles = Readonly<Record<string, string>>;

const NONE: Titles = {};

interface LoadedTitles {
  titles: Titles;
  /** Shows a new title. Null: no title. */
  change: (cid: string, title: string | null) => void;
}

/**
 * Reads the titles of contents. Without a client, while they load, and after an error there are no titles: each view then
 * shows CIDs. `cids` must stay the same array while its contents stay the same.
 */
export function useTitles(client: Client | undefined, cids: readonly string[]): LoadedTitles {
  const [titles, setTitles] = useState(NONE);
  useEffect(() => {
    if (client === undefined || cids.length === 0) return undefined;
    const ending = new AbortController();
    client.resources
      .titles(cids.slice(0, MAX_CONTENTS), { signal: ending.signal })
      .then(setTitles)
      .catch(() => undefined); // the view stays usable without titles
    return () => ending.abort();
  }, [client, cids]);
  const change = useCallback((cid: string, title: string | null) => {
    setTitles(({ [cid]: _, ...others }) => (title === null ? others : { ...others, [cid]: title }));
  }, []);
  return { titles, change };
}
