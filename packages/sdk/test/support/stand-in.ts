import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Received {
  method: string | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** A server in place of the service. */
export interface StandIn {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

/** Gives `answers` in their order. All further requests get the last answer. */
export async function startStandIn(
  ...answers: ((response: ServerResponse, request: IncomingMessage) => void)[]
): Promise<StandIn> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(received.length, answers.length - 1)];
    const one: Received = { method: request.method, headers: request.headers, body: Buffer.alloc(0) };
    received.push(one);
    buffer(request).then(
      (body) => {
        one.body = body;
        answer?.(response, request);
      },
      () => {}, // the client left
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function says(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function refuses(status: number, code: string, headers: Record<string, string> = {}) {
  return says(status, { error: { code, message: `It is ${code}.`, requestId: 'r1' } }, headers);
}
