import type { FastifyReply } from 'fastify';
import { ServiceError } from '../errors.js';

/** Sends JSON text as the database made it; 404 with the message when there is none. */
export function sendJsonText(reply: FastifyReply, text: string | undefined, absent: string): FastifyReply {
  if (text === undefined) throw new ServiceError('NotFound', absent);
  return reply.type('application/json; charset=utf-8').serializer(String).send(text);
}
