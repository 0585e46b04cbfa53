import type { FastifyReply } from 'fastify';
import { ServiceError } from '../errors.js';
import type { Answer } from '../records/kept-answers.js';

/** Sends an answer under its tag; 404 with the message when there is none. */
export function sendAnswer(reply: FastifyReply, answer: Answer | undefined, absent: string): FastifyReply {
  if (answer === undefined) throw new ServiceError('NotFound', absent);
  return reply.header('etag', answer.etag).type('application/json; charset=utf-8').send(answer.body);
}
