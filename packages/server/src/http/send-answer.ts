import type { FastifyReply } from 'fastify';
import { ServiceError } from '../errors.js';
import type { Answer } from '../records/kept-answers.js';

const nothing = () => new ServiceError('NotFound', 'This project has no such record.');

/** Sends an answer under its tag; throws what `absent` gives when there is none. */
export function sendAnswer(
  reply: FastifyReply,
  answer: Answer | undefined,
  absent: () => ServiceError = nothing,
): FastifyReply {
  if (answer === undefined) throw absent();
  return reply.header('etag', answer.etag).type('application/json; charset=utf-8').send(answer.body);
}
