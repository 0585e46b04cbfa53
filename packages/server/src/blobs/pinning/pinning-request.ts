import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError } from '../../errors.js';
import { toLogText } from '../../platform/tracing/log-text.js';
import type { ByteRange } from '../blob-store.js';
import type { PinContent } from './pinner.js';

export interface PinningRequest {
  method: 'GET' | 'POST' | 'PATCH';
  headers?: Record<string, string>;
  body?: AsyncIterable<Uint8Array>;
  signal?: AbortSignal | undefined;
  /** Use `follow` only for requests without a token. By default, a redirect is an error. */
  redirect?: 'follow' | 'error';
  fetch?: Fetch | undefined;
}

export type Fetch = typeof globalThis.fetch;

export interface SizedBody {
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
}

/** Rejects with the pinning service's message unless the status is 2xx. */
export async function ask(
  url: string,
  { body, fetch = globalThis.fetch, ...init }: PinningRequest,
): Promise<Response> {
  const stream = body === undefined ? {} : { body, duplex: 'half' };
  const answer = await fetch(url, { redirect: 'error', ...init, ...stream } as RequestInit);
  if (answer.ok) return answer;
  const said = toLogText(withoutToken(await readText(answer), init.headers?.authorization));
  throw new RefusedError(answer.status, `${new URL(url).host} answered ${answer.status}: ${said}`);
}

/** The message of the pinning service may repeat the token. The message is logged and stored with the job. */
function withoutToken(said: string, authorization = ''): string {
  const token = authorization.replace(/^Bearer +/, '');
  return token === '' ? said : said.replaceAll(token, '***');
}

const MAX_TEXT_BYTES = 65_536;

/** Reads at most the first 64 KiB of a response. */
export async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let left = MAX_TEXT_BYTES;
  for await (const chunk of body ?? []) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
  }
  return Buffer.concat(chunks).toString();
}

/** Opens the content at its first read, so that a request which is never sent leaves nothing open. */
export async function* openLater(content: PinContent, range?: ByteRange): AsyncGenerator<Uint8Array> {
  yield* await content.open(range);
}

class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'RefusedError';
    this.status = status;
  }
}

/** Returns undefined when the service does not have the content. */
export async function readIfPresent(
  url: string,
  options: PinningRequest,
  isAbsent: (refusal: RefusedError) => boolean,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    const answer = await ask(url, options);
    return answer.body ?? Readable.from([]);
  } catch (error) {
    if (error instanceof RefusedError && isAbsent(error)) return undefined;
    throw new ServiceError('Unavailable', 'The pinned copy cannot be read now.', { cause: error });
  }
}

/** Builds a form with text fields and one file (RFC 7578). It holds one piece of the file in memory at a time. */
export function toForm(fields: Record<string, string>, content: PinContent): SizedBody {
  const boundary = `colophon-${randomUUID()}`;
  const heads = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const before = Buffer.from(
    `${heads.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${content.cid}"\r\n` +
      `content-type: ${content.mimeType}\r\n\r\n`,
  );
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* body() {
    yield before;
    yield* openLater(content);
    yield after;
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(before.length + content.sizeBytes + after.length),
    },
    body: body(),
  };
}
