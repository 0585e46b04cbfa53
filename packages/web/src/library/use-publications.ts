import type { Publication } from '@colophon/model';
import { ApiError, type Client } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { isLive } from '../publishing/publication-row.js';
import { sayError } from '../shell/say-error.js';

/** Limit of the service for one response. */
const NEWEST = 200;

export interface LivePublications {
  /** Undefined while loading, after an error, and for a key that may not list publications. */
  live: readonly Publication[] | undefined;
  hasMore: boolean;
  fault: string | undefined;
}

const NONE: LivePublications = { live: undefined, hasMore: false, fault: undefined };

/** Returns the publications that are public now. */
export function usePublications(client: Client): LivePublications {
  const [read, setRead] = useState(NONE);
  useEffect(() => {
    const ending = new AbortController();
    setRead(NONE);
    client.publications
      .list({ limit: NEWEST }, { signal: ending.signal })
      .then(({ publications, nextCursor }) =>
        setRead({ live: publications.filter(isLive), hasMore: nextCursor !== null, fault: undefined }),
      )
      .catch((error) => {
        if (ending.signal.aborted || (error instanceof ApiError && error.code === 'Forbidden')) return;
        setRead({ ...NONE, fault: sayError(error) });
      });
    return () => ending.abort();
  }, [client]);
  return read;
}
