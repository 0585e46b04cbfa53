import type { Bundle } from '@colophon/model';
import type { Client, HistoryQuery } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { omitReplaced } from '../../shell/correction.js';
import { sayContentError } from '../../shell/say-error.js';

export type Asked = Required<Pick<HistoryQuery, 'direction' | 'limit'>>;

/** Number of actions that the first request asks for. */
export const FIRST_ACTIONS = 500;
/** Maximum number of actions that the service returns in one response. */
export const MOST_ACTIONS = 10_000;

/** Reads the history of a content. The loaded part stays visible while more loads. */
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
 * Reads a history. In the direction `descendants`, a response contains the attributions of the steps that made the
 * content, but not these steps. Some of these steps can be corrected. So this function also reads the steps, and
 * removes the attributions of the corrected ones.
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
