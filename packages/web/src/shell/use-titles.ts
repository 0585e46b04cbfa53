import type { Bundle } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { history } from '../strings/history.js';
import { contentsOf } from './contents-of.js';
import { sayError } from './say-error.js';

const MAX_CONTENTS = 2_000;

/** Maps a CID to its title. */
export type Titles = Readonly<Record<string, string>>;

const NONE: Titles = {};

interface LoadedTitles {
  titles: Titles;
  fault: string | undefined;
  /** Null: no title. */
  change: (cid: string, title: string | null) => void;
}

/**
 * Reads the titles of the first `MAX_CONTENTS` contents; none without a client and after an error. Pass the same `cids`
 * array as long as its items do not change.
 */
export function useTitles(client: Client | undefined, cids: readonly string[]): LoadedTitles {
  const [loaded, setLoaded] = useState(NONE);
  const [changed, setChanged] = useState<Readonly<Record<string, string | null>>>({});
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    setLoaded(NONE);
    setFault(undefined);
    if (client === undefined || cids.length === 0) return undefined;
    const ending = new AbortController();
    client.resources
      .titles(cids.slice(0, MAX_CONTENTS), { signal: ending.signal })
      .then(setLoaded)
      .catch((error) => {
        if (!ending.signal.aborted) setFault(history.untitled(sayError(error)));
      });
    return () => ending.abort();
  }, [client, cids]);
  const titles = useMemo(() => withChanges(loaded, changed), [loaded, changed]);
  const change = useCallback(
    (cid: string, title: string | null) => setChanged((before) => ({ ...before, [cid]: title })),
    [],
  );
  return { titles, fault, change };
}

export function useTitlesOf(client: Client | undefined, bundle: Bundle | undefined): LoadedTitles {
  const cids = useMemo(() => (bundle === undefined ? [] : contentsOf(bundle)), [bundle]);
  return useTitles(client, cids);
}

/** A response can be older than a change. */
function withChanges(loaded: Titles, changed: Readonly<Record<string, string | null>>): Titles {
  return Object.fromEntries(
    Object.entries({ ...loaded, ...changed }).flatMap(([cid, title]) =>
      title === null ? [] : [[cid, title]],
    ),
  );
}
