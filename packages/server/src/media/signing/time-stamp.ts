import { createHash, randomBytes } from 'node:crypto';
import { readDer } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { readBounded } from '../../platform/net/read-bounded.js';
import type { RequestTimeStamp } from './cose-signer.js';
import { der, derInteger, derOid, derSequence, TAG } from './der.js';

const SHA256 = '2.16.840.1.101.3.4.2.1';
const LIMIT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** The part of `fetch` that this file uses. */
export type TimeStampFetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: Uint8Array<ArrayBuffer>;
    signal: AbortSignal;
  },
) => Promise<{ ok: boolean; status: number; body: AsyncIterable<Uint8Array> | null }>;

/** Uses HTTP (RFC 3161 §3.4). Checks only that the token contains the digest, and not the signature of the token. */
export function createTimeStampClient(url: string, fetch: TimeStampFetch): RequestTimeStamp {
  return async (message) => {
    const digest = createHash('sha256').update(message).digest();
    const answer = await post(fetch, url, toRequest(digest));
    const token = readToken(answer);
    if (token === undefined || !Buffer.from(token).includes(digest))
      throw new ServiceError(
        'Unavailable',
        'The time-stamp service rejected the request, or returned an invalid answer.',
      );
    return token;
  };
}

async function post(fetch: TimeStampFetch, url: string, body: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  try {
    const headers = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await readBounded(response.body, MAX_ANSWER_BYTES);
  } catch (cause) {
    throw new ServiceError('Unavailable', 'The time-stamp service cannot be reached.', { cause });
  }
}

/** TimeStampReq (RFC 3161 §2.4.1): version 1, the digest, a nonce, and certReq. */
function toRequest(digest: Uint8Array): Buffer<ArrayBuffer> {
  const algorithm = derSequence(derOid(SHA256), der(TAG.null));
  return Buffer.from(
    derSequence(
      derInteger(Uint8Array.of(1)),
      derSequence(algorithm, der(TAG.octetString, digest)),
      derInteger(randomBytes(8)),
      der(TAG.boolean, Uint8Array.of(0xff)),
    ),
  );
}

/** The token of a TimeStampResp (RFC 3161 §2.4.2) whose status is granted (0) or granted with changes (1). */
function readToken(answer: Uint8Array): Uint8Array | undefined {
  const [status, token] = readDer(readDer(answer)?.[0]?.content ?? new Uint8Array()) ?? [];
  const [code] = readDer(status?.content ?? new Uint8Array()) ?? [];
  return code?.content.length === 1 && (code.content[0] ?? 2) <= 1 ? token?.whole : undefined;
}
