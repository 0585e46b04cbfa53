import type { FastifyReply } from 'fastify';
import { ServiceError } from '../errors.js';

/** Aborts when the caller's connection closes before the answer is sent: nobody waits for it any more. */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const look = () => {
    if (!raw.writableFinished) gone.abort(toGone());
  };
  if (raw.destroyed) look();
  else raw.once('close', look);
  return gone.signal;
}

function toGone(): ServiceError {
  return new ServiceError('Timeout', 'The caller closed the connection before the answer.', { status: 408 });
}
