import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { toEtag } from '../../records/read/answers.js';
import { matches } from './etag.js';

/** Content codings of a response, the shortest first (RFC 9110 §8.4.1, RFC 7932). */
const CODINGS = ['br', 'gzip', 'identity'] as const;
/** Above this quality, Brotli takes ten times as long for a few percent. */
const BROTLI_QUALITY = 9;

type Coding = (typeof CODINGS)[number];
type SharedAnswer = Readonly<Record<Coding, { bytes: Buffer; etag: string }>>;

/**
 * Creates the function that sends a response which does not change while the process runs. `write` is called once. All
 * responses share the bytes, so an unread response takes no further memory.
 */
export function createSharedAnswer(
  mediaType: string,
  write: () => string,
): (reply: FastifyReply) => Promise<FastifyReply> {
  let answer: Promise<SharedAnswer> | undefined;
  return async (reply) => {
    answer ??= toSharedAnswer(write()).catch((error) => {
      answer = undefined; // The next request tries again.
      throw error;
    });
    return sendShared(reply, mediaType, await answer);
  };
}

async function toSharedAnswer(text: string): Promise<SharedAnswer> {
  const identity = Buffer.from(text);
  const br = await promisify(brotliCompress)(identity, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
  });
  const tagged = (bytes: Buffer) => ({ bytes, etag: toEtag(bytes) });
  return { br: tagged(br), gzip: tagged(await promisify(gzip)(identity)), identity: tagged(identity) };
}

function sendShared(reply: FastifyReply, mediaType: string, answer: SharedAnswer): FastifyReply {
  const { headers } = reply.request;
  const coding = chooseCoding(headers['accept-encoding']);
  const { bytes, etag } = answer[coding];
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
  if (matches(headers['if-none-match'], etag)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(mediaType).send(bytes);
}

/** Returns the shortest coding that `Accept-Encoding` allows (RFC 9110 §12.5.3); without one, the bytes as they are. */
export function chooseCoding(accepted = ''): Coding {
  const weights = new Map(accepted.toLowerCase().split(',').map(parseCoding));
  return CODINGS.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0) ?? 'identity';
}

function parseCoding(text: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
  return [coding, weight === undefined ? 1 : Number(weight)];
}
