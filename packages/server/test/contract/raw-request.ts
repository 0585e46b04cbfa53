import { connect } from 'node:net';
import type { Answer } from './operations.js';

const MAX_WAIT_MS = 10_000;

/** A request in its bytes, well-formed or not. */
export interface RawRequest {
  method: string;
  /** The target in the request line, as UTF-8. */
  target: string;
  headers: readonly (readonly [string, string])[];
  body: Uint8Array;
  /** Content-Length; default: the size of the body. */
  announcedBytes?: number | undefined;
}

/** Returns undefined when the connection ends without an answer. */
export function sendRaw(base: string, request: RawRequest): Promise<Answer | undefined> {
  const { method, target, headers, body, announcedBytes = body.length } = request;
  const lines = [
    ...['host: localhost', 'connection: close'],
    ...(body.length + announcedBytes > 0 ? [`content-length: ${announcedBytes}`] : []),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return sendBytes(base, Buffer.concat([head, body]));
}

/** Returns the first final answer. */
export function sendBytes(base: string, bytes: Uint8Array): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(base).port), noDelay: true });
    const chunks: Buffer[] = [];
    socket.setTimeout(MAX_WAIT_MS, () => {
      socket.destroy();
      reject(new Error(`No answer within ${MAX_WAIT_MS} ms`));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    // The service may close the connection after its answer.
    socket.on('error', () => {});
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks))));
    socket.write(bytes);
  });
}

function parseAnswer(bytes: Buffer): Answer | undefined {
  if (bytes.length === 0) return undefined;
  const end = bytes.indexOf('\r\n\r\n');
  // An interim answer (RFC 9110 §15.2).
  if (/^HTTP\/1\.1 1/.test(bytes.subarray(0, 10).toString('latin1')))
    return parseAnswer(bytes.subarray(end + 4));
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bytes.subarray(end + 4);
  const lengthBytes = headers.get('content-length');
  const isNext = body.subarray(0, 9).toString('latin1') === 'HTTP/1.1 ';
  const sent = body.subarray(0, isNext ? 0 : Number(lengthBytes ?? body.length));
  const whole = headers.get('transfer-encoding') === 'chunked' ? unchunk(body) : sent;
  return {
    status: Number(first.split(' ')[1]),
    mediaType: headers.get('content-type'),
    requestId: headers.get('x-request-id'),
    text: whole.toString('utf8'),
  };
}

function unchunk(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const sizeBytes = Number.parseInt(body.subarray(at, lineEnd).toString('latin1'), 16);
    if (!(sizeBytes > 0)) break;
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + sizeBytes));
    at = lineEnd + 2 + sizeBytes + 2;
  }
  return Buffer.concat(chunks);
}
