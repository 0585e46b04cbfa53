import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../errors.js';
import { lengthOf } from '../../platform/json-text.js';
import type { Answer } from '../../records/read/answer-cache.js';
import { LongAnswer } from './limit-unread-answers.js';

const nothing = () => new ServiceError('NotFound', 'This project has no such record.');

/**
 * Sends a response with its ETag. A long one is sent in pieces, at the speed of the reader. Throws the error of
 * `absent` when `answer` is undefined.
 */
export function sendAnswer(
  reply: FastifyReply,
  answer: Answer | undefined,
  absent: () => ServiceError = nothing,
  mediaType = 'application/json; charset=utf-8',
): FastifyReply {
  if (answer === undefined) throw absent();
  const { body, etag } = answer;
  const [only, ...more] = body;
  reply.header('etag', etag).type(mediaType);
  if (more.length === 0) return reply.send(only);
  const sizeBytes = lengthOf(body);
  return reply.header('content-length', sizeBytes).send(new LongAnswer(body, sizeBytes));
}
