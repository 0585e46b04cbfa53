import { once } from 'node:events';
import pg from 'pg';
import { sleepUntil } from '../sleep-until.js';

/** A subscription to a channel of PostgreSQL's NOTIFY. */
export interface Listener {
  close(): Promise<void>;
}

const RETRY_MS = 5_000;

/**
 * Calls `onNotice` for every notification on the channel, and after each (re)connection, since earlier
 * notifications may have been missed. Needs a session of its own: `url` must not lead to a transaction pooler.
 * Retries a failed connection every five seconds, and reports it to `onFailure`.
 */
export function listen(
  { url, channel }: { url: string; channel: string },
  onNotice: () => void,
  onFailure: (error: unknown) => void,
): Listener {
  const closing = new AbortController();
  const { signal } = closing;

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 });
    client.on('notification', onNotice);
    // `once` below handles the first error. Later ones have no effect.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onNotice();
      await once(client, 'end', { signal });
    } finally {
      await client.end();
    }
  }

  async function keepListening(): Promise<void> {
    while (!signal.aborted) {
      try {
        await listenOnce();
      } catch (error) {
        if (!signal.aborted) onFailure(error);
      }
      await sleepUntil(RETRY_MS, signal);
    }
  }

  const ended = keepListening();
  return {
    async close() {
      closing.abort();
      await ended;
    },
  };
}
