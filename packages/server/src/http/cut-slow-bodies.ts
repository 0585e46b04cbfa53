import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import type { App, Pace } from './app.js';
import { writeError } from './error-writer.js';

/** About 1 KiB/s, looked at every 15 s: a modem keeps it up, a slow-loris does not. */
export const USUAL_PACE: Pace = { intervalMs: 15_000, minBytes: 15 * 1024 };

/** Answers 408 to a request whose body comes slower than the pace, and cuts its connection. */
export function cutSlowBodies(app: App, pace: Pace): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return;
    watch(request, reply, pace);
  });
}

function watch(request: FastifyRequest, reply: FastifyReply, { intervalMs, minBytes }: Pace): void {
  const { raw } = request;
  let seenBytes = raw.socket.bytesRead;
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(timer);
    const receivedBytes = raw.socket.bytesRead - seenBytes;
    seenBytes = raw.socket.bytesRead;
    // A handler that is busy with what came does not read on; its sender is not to blame.
    if (receivedBytes >= minBytes || raw.isPaused()) return;
    clearInterval(timer);
    cut(request, reply);
  }, intervalMs);
  raw.once('close', () => clearInterval(timer));
}

function cut(request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw;
  if (reply.sent) return void socket.destroy();
  reply.raw.once('finish', () => socket.destroySoon());
  writeError(
    new ServiceError('Timeout', 'The body was not received in time.'),
    request,
    reply.header('connection', 'close'),
  );
}
