import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { App, Pace } from '../app.js';
import { cutBody } from '../wire/cut-body.js';
import { hasBody } from '../wire/receive-body.js';
import { type ChunkLimit, MIN_CHUNK_BYTES } from './limit-chunks.js';

/** About 1 KiB/s, checked every 15 s: slower than a modem, faster than a slow-loris attack. */
export const USUAL_PACE: Pace = { intervalMs: 15_000, minBytes: 15 * 1024 };
/** Time limit of a JSON body, a raw body or a brief form. */
const WHOLE_MS = 60_000;
/** Rejects a body that arrives too slowly or too late, or in many tiny chunks. Then closes the connection. */
export function abortSlowBodies(
  app: App,
  { pace, maxFormMs, chunks }: { pace: Pace; maxFormMs: number; chunks: Pick<ChunkLimit, 'onExceeded'> },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw;
    const isLongForm =
      /^multipart\//i.test(headers['content-type'] ?? '') && !request.routeOptions.config.hasBriefForm;
    if (hasBody(headers))
      watch(request, reply, {
        ...pace,
        ...(isLongForm ? { formMs: maxFormMs } : {}),
      });
    if (headers['transfer-encoding'] !== undefined)
      chunks.onExceeded(request.raw, () => cutBody(request, reply, tooManyChunks()));
    done();
  });
}

function watch(
  request: FastifyRequest,
  reply: FastifyReply,
  { intervalMs, minBytes, wholeMs = WHOLE_MS, formMs }: Pace & { formMs?: number },
): void {
  const { raw } = request;
  const dueAt = performance.now() + (formMs ?? wholeMs);
  let seenBytes = raw.socket.bytesRead;
  let seenPausesMs = 0;
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(timer);
    const receivedBytes = raw.socket.bytesRead - seenBytes;
    seenBytes = raw.socket.bytesRead;
    // The pauses of `paceUploads` extend the time limit, and reduce the bytes that the sender has to send.
    const pausesMs = request.pacedUpload?.waitedMs() ?? 0;
    const dueBytes = minBytes * Math.max(0, 1 - (pausesMs - seenPausesMs) / intervalMs);
    seenPausesMs = pausesMs;
    const isLate = performance.now() >= dueAt + pausesMs;
    // When the body is paused, the handler is slow, not the sender.
    if ((receivedBytes >= dueBytes && !isLate) || raw.isPaused()) return;
    clearInterval(timer);
    if (isLate && formMs !== undefined) request.metBound = 'MAX_FORM_SECONDS';
    cutBody(
      request,
      reply,
      new ServiceError('Timeout', 'The body was not received in time.', recoveryOf(request)),
    );
  }, intervalMs);
  raw.once('close', () => clearInterval(timer));
}

function tooManyChunks(): ServiceError {
  return new ServiceError('InvalidField', 'The body has too many small chunks.', {
    recovery: `Send chunks of at least ${MIN_CHUNK_BYTES} bytes on average, or send the header Content-Length instead.`,
  });
}

function recoveryOf({ metBound }: FastifyRequest): { recovery?: string } {
  if (metBound === undefined) return {};
  return { recovery: `Send the body faster, or ask the operator to raise ${metBound}.` };
}
