import type { FastifyReply } from 'fastify';
import { ServiceError } from '../errors.js';
import type { Answer } from '../records/kept-answers.js';

/** Sends JSON text as the database made it; 404 with the message when there is none. */
export function sendJsonText(reply: FastifyReply, text: string | undefined, absent: string): FastifyReply {
  if (text === undefined) throw new ServiceError('NotFound', absent);
  return reply.type('application/json; charset=utf-8').serializer(String).send(text);
}

/** Sends an answer under its tag; 404 with the message when there is none. */
export function sendAnswer(reply: FastifyReply, answer: Answer | undefined, absent: string): FastifyReply {
  if (answer === undefined) throw new ServiceError('NotFound', absent);
  return reply.header('etag', answer.etag).type('application/json; charset=utf-8').send(answer.body);
}
