import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  sizeBytes: number;
}

/** Adds the parts of S3 that Colophon needs and s3rver lacks. */
export interface Gate {
  port: number;
  seen: SeenRequest[];
  /** Multipart uploads that are neither completed nor aborted: upload id -> path. */
  openUploads: Map<string, string>;
  /** Removes all planted failures. */
  mend(): void;
  /** `times`: 1 by default. */
  failNext: (matches: (seen: SeenRequest) => boolean, status: number, times?: number) => void;
  close(): Promise<void>;
}

/**
 * Adds, as documented in the Amazon S3 API: `If-None-Match: *` on PutObject, `If-Match` on GetObject (412),
 * AbortMultipartUpload and ListMultipartUploads.
 */
export async function startGate(upstreamPort: number): Promise<Gate> {
  const openUploads = new Map<string, string>();
  const seen: SeenRequest[] = [];
  const failures: { matches: (seen: SeenRequest) => boolean; status: number; times: number }[] = [];

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const { method = '', url = '', headers } = incoming;
    const one = { method, path: url, headers, sizeBytes: body.length };
    seen.push(one);
    const query = new URL(url, 'http://gate').searchParams;
    const failure = failures.find(({ times, matches }) => times > 0 && matches(one));
    if (failure !== undefined) {
      failure.times -= 1;
      return sendError(outgoing, failure.status, 'Planted');
    }
    const uploadId = query.get('uploadId');
    if (uploadId !== null && ['DELETE', 'POST'].includes(method)) openUploads.delete(uploadId);
    if (method === 'DELETE' && uploadId !== null) return void outgoing.writeHead(204).end();
    if (method === 'GET' && query.has('uploads')) return sendUploads(outgoing, openUploads);
    if (await failsCondition(upstreamPort, incoming)) return sendError(outgoing, 412, 'PreconditionFailed');
    const response = await ask(upstreamPort, { method, path: url, headers, body });
    const begun = /<UploadId>(.*?)<\/UploadId>/.exec(response.body.toString('latin1'))?.[1];
    if (method === 'POST' && query.has('uploads') && begun !== undefined) openUploads.set(begun, url);
    outgoing.writeHead(response.status, response.headers).end(response.body);
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    openUploads,
    mend: () => void failures.splice(0),
    failNext: (matches, status, times = 1) => void failures.push({ matches, status, times }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** `If-None-Match: *` of a put, or `If-Match` of a read. */
async function failsCondition(port: number, { method, url, headers }: IncomingMessage): Promise<boolean> {
  const unless = method === 'PUT' && headers['if-none-match'] === '*';
  const tag = method === 'GET' ? headers['if-match'] : undefined;
  if (!unless && tag === undefined) return false;
  const head = await ask(port, { method: 'HEAD', path: url ?? '', headers: without(headers) });
  return unless ? head.status === 200 : head.headers.etag !== tag;
}

interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body?: Buffer;
}

function ask(port: number, { method, path, headers, body }: Asked) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>(
    (resolve, reject) => {
      const call = request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: await readAll(response),
        });
      });
      call.once('error', reject);
      call.end(body);
    },
  );
}

function without({
  'content-length': _,
  'if-none-match': __,
  range: ___,
  ...headers
}: IncomingMessage['headers']) {
  return headers;
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function sendError(outgoing: ServerResponse, status: number, code: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/xml' });
  outgoing.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function sendUploads(outgoing: ServerResponse, uploads: Map<string, string>): void {
  const listed = [...uploads].map(([id, url]) => {
    const key = decodeURIComponent(new URL(url, 'http://gate').pathname.replace(/^\/[^/]+\//, ''));
    const begun = '2020-01-01T00:00:00.000Z';
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`;
  });
  outgoing.writeHead(200, { 'content-type': 'application/xml' });
  outgoing.end(
    `<?xml version="1.0"?><ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListMultipartUploadsResult>`,
  );
}
