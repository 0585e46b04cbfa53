import type { FastifyRequest } from 'fastify';
import type { App } from '../app.js';

/**
 * Maximum number of bytes that are read and discarded from the body of a rejected request, so that its sender can read
 * the response.
 */
const MAX_DRAINED_BYTES = 64 * 2 ** 20;
const MAX_DRAIN_MS = 10_000;
const CHECK_EVERY_MS = 1_000;

/**
 * Lets a client read a response that the service sends before the whole body has arrived. The service reads and
 * discards the rest of the body. Otherwise the client would see a broken pipe instead of the 413 or 401. If the rest is
 * larger than 64 MiB or takes longer than 10 s, the service closes the connection. The pauses of `paceUploads` do not
 * count towards the 10 s.
 */
export function drainRefusedBodies(app: App): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    // Node closes a connection without keep-alive directly after the response. If some bytes are unread, the close
    // resets the connection.
    if (!raw.complete) reply.raw.shouldKeepAlive = true;
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const { raw, pacedUpload } = request;
    // A paced body can be complete and still unread.
    const hasRest = !raw.complete || (pacedUpload !== undefined && !raw.readableEnded);
    if (hasRest && !raw.destroyed) drain(request);
    done();
  });
}

function drain({ raw, pacedUpload }: FastifyRequest): void {
  const workedMs = () => performance.now() - (pacedUpload?.waitedMs() ?? 0);
  const dueMs = workedMs() + MAX_DRAIN_MS;
  let drainedBytes = 0;
  const { socket } = raw;
  const stop = () => {
    clearInterval(timer);
    socket.off('close', stop);
  };
  const cut = () => {
    stop();
    socket.destroy();
  };
  const timer = setInterval(() => {
    if (workedMs() >= dueMs) cut();
  }, CHECK_EVERY_MS);
  // After the response, Node closes the socket without an event of the request.
  socket.once('close', stop);
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    drainedBytes += chunk.length;
    if (drainedBytes > MAX_DRAINED_BYTES) cut();
  });
  raw.once('end', () => {
    stop();
    if (/close/i.test(raw.headers.connection ?? '')) socket.end();
  });
  raw.resume();
}
