import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { toEtag } from '../../records/read/answers.js';
import { matches } from './etag.js';
import { toKeptAnswer } from './limit-unread-answers.js';

/** Content codings (RFC 9110 §8.4.1, RFC 7932), the shortest result first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
/** At a higher quality, Brotli takes ten times as long and saves only a few percent. */
const BROTLI_QUALITY = 9;

type Coding = (typeof CODINGS)[number];
type TaggedBytes = Readonly<{ bytes: Buffer; etag: string }>;

/** The bytes of a response, in each available coding. */
export type SharedAnswer = Readonly<Partial<Record<Coding, TaggedBytes>> & { identity: TaggedBytes }>;

/**
 * Sends a response that does not change while the process runs. `write` is called once, and again only after a failure.
 */
export function createSharedAnswer(
  mediaType: string,
  write: () => string | Promise<string>,
  { isCounted = true }: Pick<SharedOptions, 'isCounted'> = {},
): (reply: FastifyReply) => Promise<FastifyReply> {
  let answer: Promise<SharedAnswer> | undefined;
  return async (reply) => {
    answer ??= writeShared(write).catch((error) => {
      answer = undefined; // The next request tries again.
      throw error;
    });
    return sendShared(reply, await answer, { mediaType, isCounted });
  };
}

async function writeShared(write: () => string | Promise<string>): Promise<SharedAnswer> {
  const identity = Buffer.from(await write());
  const br = await promisify(brotliCompress)(identity, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
  });
  return toSharedAnswer({ br, gzip: await promisify(gzip)(identity), identity });
}

/** Each coding has its own strong ETag, so that a cache never mixes two codings (RFC 9110 §8.8.3.3). */
export function toSharedAnswer({
  identity,
  br,
  gzip: zipped,
}: {
  identity: Buffer;
  br?: Buffer | undefined;
  gzip?: Buffer | undefined;
}): SharedAnswer {
  const tagged = (bytes: Buffer) => ({ bytes, etag: toEtag(bytes) });
  return {
    identity: tagged(identity),
    ...(br === undefined ? {} : { br: tagged(br) }),
    ...(zipped === undefined ? {} : { gzip: tagged(zipped) }),
  };
}

interface SharedOptions {
  mediaType: string;
  /** Value of `Cache-Control`. */
  cache?: string;
  /** Whether an unread response counts against the memory limit of its caller. */
  isCounted?: boolean;
}

export function sendShared(
  reply: FastifyReply,
  answer: SharedAnswer,
  { mediaType, cache = 'no-cache', isCounted = true }: SharedOptions,
): FastifyReply {
  const { headers } = reply.request;
  const coding = chooseCoding(answer, headers['accept-encoding']);
  const { bytes, etag } = answer[coding] ?? answer.identity;
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': cache });
  if (matches(headers['if-none-match'], etag)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(mediaType).send(isCounted ? bytes : toKeptAnswer(reply, bytes));
}

/** The shortest coding that `Accept-Encoding` allows (RFC 9110 §12.5.3); `identity` if it allows none. */
function chooseCoding(answer: SharedAnswer, accepted = ''): Coding {
  const weights = new Map(accepted.toLowerCase().split(',').map(parseCoding));
  const isAllowed = (coding: Coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
  return CODINGS.find((coding) => answer[coding] !== undefined && isAllowed(coding)) ?? 'identity';
}

function parseCoding(text: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
  return [coding, weight === undefined ? 1 : Number(weight)];
}
