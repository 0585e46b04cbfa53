import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../errors.js';
import { lengthOf } from '../../platform/json-text.js';
import type { Answer } from '../../records/read/answer-cache.js';
import { LongAnswer } from './limit-unread-answers.js';

const JSON_TYPE = 'application/json; charset=utf-8';

const nothing = () => new ServiceError('NotFound', 'This project has no such record.');

/** Sends a long response at the speed of the reader. Throws the error of `absent` when `answer` is undefined. */
export function sendAnswer(
  reply: FastifyReply,
  answer: Answer | undefined,
  absent: () => ServiceError = nothing,
  mediaType = JSON_TYPE,
): FastifyReply {
  if (answer === undefined) throw absent();
  return sendPieces(reply.header('etag', answer.etag), answer.body, mediaType);
}

/** Sends several pieces at the speed of the reader. */
export function sendPieces(
  reply: FastifyReply,
  pieces: readonly Buffer[],
  mediaType = JSON_TYPE,
): FastifyReply {
  const [only, ...more] = pieces;
  reply.type(mediaType);
  if (more.length === 0) return reply.send(only);
  const sizeBytes = lengthOf(pieces);
  return reply.header('content-length', sizeBytes).send(new LongAnswer(pieces, sizeBytes));
}
