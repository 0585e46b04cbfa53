import type { Bundle } from '@colophon/model';
import type { Client, HistoryQuery } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { omitReplaced } from '../../shell/correction.js';
import { sayContentError } from '../../shell/say-error.js';

export type Asked = Required<Pick<HistoryQuery, 'direction' | 'limit'>>;

export const FIRST_ACTIONS = 500;
/** Limit of the service for one response. */
export const MOST_ACTIONS = 10_000;

/** The loaded part stays visible while more loads. */
export function useBundle(client: Client, cid: string, { direction, limit }: Asked) {
  const [bundle, setBundle] = useState<Bundle>();
  const [fault, setFault] = useState<string>();
  const [isReading, setIsReading] = useState(true);
  useEffect(() => {
    const ending = new AbortController();
    setIsReading(true);
    readBundle(client.histories, cid, { query: { direction, limit }, signal: ending.signal })
      .then((read) => {
        setBundle(read);
        setFault(undefined);
      })
      .catch((error) => {
        if (!ending.signal.aborted) setFault(sayContentError(error));
      })
      .finally(() => {
        if (!ending.signal.aborted) setIsReading(false);
      });
    return () => ending.abort();
  }, [client, cid, direction, limit]);
  return { bundle, fault, isReading };
}

/**
 * With `descendants`, a response contains attributions of the steps that made the content, but not these steps. So this
 * function reads the steps too, and removes the attributions of corrected steps.
 */
async function readBundle(
  histories: Client['histories'],
  cid: string,
  { query, signal }: { query: Asked; signal: AbortSignal },
): Promise<Bundle> {
  if (query.direction !== 'descendants') return histories.bundle(cid, query, { signal });
  const [bundle, making] = await Promise.all([
    histories.bundle(cid, query, { signal }),
    histories.bundle(cid, { depth: 1 }, { signal }),
  ]);
  return omitReplaced(bundle, making);
}
