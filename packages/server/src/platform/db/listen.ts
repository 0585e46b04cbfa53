import { once } from 'node:events';
import pg from 'pg';
import { sleepUntil } from '../sleep-until.js';

export interface Listener {
  close(): Promise<void>;
}

const RETRY_MS = 5_000;

/**
 * Calls `onNotice` with the payload of every notification, and with an empty text after each connection, because
 * earlier notifications may be lost. `url` must not lead to a transaction pooler: LISTEN needs its own session.
 */
export function listen(
  { url, channel }: { url: string; channel: string },
  onNotice: (payload: string) => void,
  onFailure: (error: unknown) => void,
): Listener {
  const closing = new AbortController();
  const { signal } = closing;

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 });
    client.on('notification', ({ payload = '' }) => onNotice(payload));
    // `once` handles the first error. Without this handler, later errors would end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onNotice('');
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
