import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContentHasher } from '@colophon/model';

export interface PinningServer {
  url: string;
  seen: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Maps the CID that the server returned to the bytes. */
  kept: Map<string, Buffer>;
  /** While set, every request gets this status; 0 closes the connection. */
  outage: number | undefined;
  outageText: string;
  /** While set, requests wait until it resolves. */
  held: Promise<void> | undefined;
  /** Counts the connections that closed before the answer was complete. */
  abandoned: number;
  /** By default, the CID that Colophon computes. */
  cidOf: (bytes: Buffer) => string;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void;

async function startServer(answerOf: (server: PinningServer) => Answer): Promise<PinningServer> {
  const http = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    server.seen.push({ method, path: url, headers });
    response.on('close', () => {
      if (!response.writableFinished) server.abandoned++;
    });
    if (server.outage === 0) return void request.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    await server.held;
    if (server.outage !== undefined) return void response.writeHead(server.outage).end(server.outageText);
    answer(request, Buffer.concat(chunks), response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: PinningServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    seen: [],
    kept: new Map(),
    outage: undefined,
    outageText: 'out of order',
    held: undefined,
    abandoned: 0,
    cidOf: ourCid,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  const answer = answerOf(server);
  return server;
}

export function ourCid(bytes: Buffer): string {
  const hasher = createContentHasher();
  hasher.update(bytes);
  return hasher.finish().cid;
}

function keep(server: PinningServer, bytes: Buffer): string {
  const cid = server.cidOf(bytes);
  server.kept.set(cid, bytes);
  return cid;
}

/** Kubo's RPC as documented: `add` (a JSON line) and `cat`. Errors are 500 with `Message`. */
export function startKuboServer(): Promise<PinningServer> {
  return startServer((server) => (request, body, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', server.url);
    const json = { 'content-type': 'application/json' };
    // The RPC accepts only POST.
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (pathname === '/api/v0/add') {
      const { file } = parseForm(request, body);
      const Hash = keep(server, file);
      response.writeHead(200, json);
      return void response.end(`${JSON.stringify({ Name: Hash, Hash, Size: String(file.length) })}\n`);
    }
    const bytes = server.kept.get(searchParams.get('arg') ?? '');
    if (pathname === '/api/v0/cat' && bytes !== undefined) return void response.writeHead(200).end(bytes);
    response.writeHead(500, json);
    response.end(
      JSON.stringify({ Message: 'block was not found locally (offline)', Code: 0, Type: 'error' }),
    );
  });
}

export const PINATA_JWT = 'the-token-of-the-test-account';

/** `POST /v3/files`, as a form or in tus pieces, and the gateway, as Pinata's SDK 2.5 uses them. */
export function startPinataServer(): Promise<PinningServer> {
  return startServer((server) => {
    const uploads = new Map<string, { sizeBytes: number; pieces: Buffer[] }>();
    return (request, body, response) => {
      const { method, headers } = request;
      const { pathname } = new URL(request.url ?? '', server.url);
      if (method === 'GET') {
        const bytes = server.kept.get(pathname.replace('/ipfs/', ''));
        return void response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
      }
      if (headers.authorization !== `Bearer ${PINATA_JWT}`) return void response.writeHead(401).end('{}');
      const upload = uploads.get(pathname);
      if (method === 'PATCH' && upload !== undefined) {
        const fill = upload.pieces.reduce((sum, { length }) => sum + length, 0);
        if (Number(headers['upload-offset']) !== fill) return void response.writeHead(409).end();
        upload.pieces.push(body);
        const isWhole = fill + body.length === upload.sizeBytes;
        const cid = isWhole ? { 'upload-cid': keep(server, Buffer.concat(upload.pieces)) } : {};
        return void response.writeHead(204, cid).end();
      }
      if (headers['upload-length'] !== undefined) {
        const location = `/v3/files/upload-${uploads.size}`;
        uploads.set(location, { sizeBytes: Number(headers['upload-length']), pieces: [] });
        return void response.writeHead(201, { location }).end();
      }
      const { file, fields } = parseForm(request, body);
      if (fields.network !== 'public' || headers['content-length'] === undefined) {
        return void response.writeHead(400).end('{}');
      }
      const cid = keep(server, file);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: { id: 'an-id', name: fields.name, cid, size: file.length } }));
    };
  });
}

function parseForm(
  { headers }: IncomingMessage,
  body: Buffer,
): { fields: Record<string, string>; file: Buffer } {
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const fields: Record<string, string> = {};
  let file = Buffer.alloc(0);
  const mark = Buffer.from(`--${boundary}`);
  for (let at = body.indexOf(mark); at !== -1; ) {
    const next = body.indexOf(mark, at + mark.length);
    if (next === -1) break;
    const part = body.subarray(at + mark.length + 2, next - 2);
    const border = part.indexOf('\r\n\r\n');
    const head = part.subarray(0, border).toString();
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? '';
    if (head.includes('filename=')) file = Buffer.from(part.subarray(border + 4));
    else fields[name] = part.subarray(border + 4).toString();
    at = next;
  }
  return { fields, file };
}
