import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../errors.js';
import { writeError } from './error-writer.js';

/** Responds with the error to a request whose body is still arriving, and closes the connection. */
export function cutBody(request: FastifyRequest, reply: FastifyReply, error: ServiceError): void {
  const { raw } = request;
  const { socket } = raw;
  // After the response, Node emits no events of the request. Without `destroy`, a reader of the body would wait for
  // ever.
  socket.once('close', () => raw.destroy());
  reply.log = reply.log.child({}, { level: 'silent' });
  if (reply.sent) return void socket.destroy();
  reply.raw.once('finish', () => socket.destroySoon());
  writeError(error, request, reply.header('connection', 'close'));
}
