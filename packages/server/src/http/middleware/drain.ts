import type { FastifyRequest } from 'fastify';
import type { App } from '../app.js';

/** Maximum number of discarded bytes of a rejected request. */
const MAX_DRAINED_BYTES = 64 * 2 ** 20;
const MAX_DRAIN_MS = 10_000;
const CHECK_EVERY_MS = 1_000;

/**
 * Reads and discards the rest of the body after an early response, up to 64 MiB and 10 s without the pauses of
 * `paceUploads`. If the service did not read the rest, the client would see a broken pipe instead of the 413 or 401.
 */
export function drainRefusedBodies(app: App): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    // Without keep-alive, Node closes the connection after the response. Unread bytes would then reset it.
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
