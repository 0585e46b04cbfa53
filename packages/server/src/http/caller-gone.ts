import type { FastifyReply } from 'fastify';
import { ServiceError } from '../errors.js';

/** Aborts when the caller's connection closes before the answer is sent: nobody waits for it any more. */
export function callerGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  whenClosed(reply, () => {
    if (!reply.raw.writableFinished) gone.abort(toGone());
  });
  return gone.signal;
}

/** Runs once the answer is sent or its connection is closed: at once where the caller left meanwhile. */
export function whenClosed({ raw }: FastifyReply, run: () => void): void {
  if (raw.destroyed) run();
  else raw.once('close', run);
}

function toGone(): ServiceError {
  return new ServiceError('Timeout', 'The caller closed the connection before the answer.', { status: 408 });
}
