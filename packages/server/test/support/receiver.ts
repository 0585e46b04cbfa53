import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  message: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** Receives webhook messages. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Default: 204. */
  answer: (response: ServerResponse, received: Received) => void;
  /** Waits for `count` matching messages. Rejects after 30 s. */
  until(count: number, isMeant?: (received: Received) => boolean): Promise<Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const received = { headers: request.headers, body, message: JSON.parse(body || '{}') };
    receiver.received.push(received);
    receiver.answer(response, received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: (response) => void response.writeHead(204).end(),
    async until(count, isMeant = () => true) {
      const meant = () => receiver.received.filter(isMeant);
      await expect
        .poll(() => meant().length, { timeout: 30_000, interval: 50 })
        .toBeGreaterThanOrEqual(count);
      return meant();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
