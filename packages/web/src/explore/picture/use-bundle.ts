import type { Bundle } from '@colophon/model';
import type { Client, HistoryQuery } from '@colophon/sdk';
import { useEffect, useState } from 'react';
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
    client.histories
      .bundle(cid, { direction, limit }, { signal: ending.signal })
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
