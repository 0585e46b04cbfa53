import type { Bundle } from '@colophon/model';
import type { Client, HistoryQuery } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { sayContentError } from '../../shell/say-error.js';

/** The requested part of a history. */
export type Asked = Required<Pick<HistoryQuery, 'direction' | 'limit'>>;

/** The default and the maximum of a request; the service returns no more at once. */
export const FIRST_ACTIONS = 500;
export const MOST_ACTIONS = 10_000;

/** The history of a content; the loaded part stays visible while more loads. */
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
