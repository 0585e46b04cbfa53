import type { TitledResource } from '@colophon/model';
import type { Client, ResourceQuery } from '@colophon/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sayError } from '../shell/say-error.js';

const PAGE = 24;
/** Pages that one load reads. If few contents match, a page can be empty although more pages follow. */
const MAX_EMPTY_PAGES = 5;

interface Loaded {
  client: Client;
  contents: readonly TitledResource[];
  /** Undefined before the first page, and null at the end of the list. */
  next: string | null | undefined;
  fault: string | undefined;
  isLoading: boolean;
}

export interface Contents extends Omit<Loaded, 'client'> {
  loadMore: () => void;
}

/**
 * The contents of the previous query stay until the first page of the new one. Pass the same `query` object as long as
 * its members do not change.
 */
export function useContents(client: Client, query: ResourceQuery): Contents {
  const [loaded, setLoaded] = useState(() => toStart(client));
  const ending = useRef<AbortController>(undefined);
  const load = useCallback(
    async (cursor?: string) => {
      ending.current?.abort();
      ending.current = new AbortController();
      const { signal } = ending.current;
      const change = (part: Partial<Loaded>) =>
        setLoaded((before) => ({ ...(before.client === client ? before : toStart(client)), ...part }));
      change({ isLoading: true, fault: undefined });
      try {
        const page = await readPage(
          client,
          { ...query, ...(cursor === undefined ? {} : { cursor }) },
          signal,
        );
        if (signal.aborted) return;
        setLoaded((before) => ({
          ...toStart(client),
          contents: cursor === undefined ? page.resources : [...before.contents, ...page.resources],
          next: page.nextCursor,
          isLoading: false,
        }));
      } catch (error) {
        if (!signal.aborted) change({ isLoading: false, fault: sayError(error) });
      }
    },
    [client, query],
  );
  useEffect(() => {
    void load();
    return () => ending.current?.abort();
  }, [load]);
  const shown = loaded.client === client ? loaded : toStart(client);
  const { next } = shown;
  const loadMore = useCallback(() => {
    if (typeof next === 'string') void load(next);
  }, [load, next]);
  return { ...shown, loadMore };
}

function toStart(client: Client): Loaded {
  return { client, contents: [], next: undefined, fault: undefined, isLoading: true };
}

async function readPage(client: Client, query: ResourceQuery, signal: AbortSignal) {
  let page = await client.resources.list({ ...query, limit: PAGE }, { signal });
  for (let count = 1; count < MAX_EMPTY_PAGES && page.count === 0 && page.nextCursor !== null; count++)
    page = await client.resources.list({ ...query, limit: PAGE, cursor: page.nextCursor }, { signal });
  return page;
}
