import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

/** Returns a signal that aborts when the caller's connection closes before the response is sent. */
export function signalOfCaller(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  whenClosed(reply, () => {
    if (!reply.raw.writableFinished) gone.abort(toDisconnected());
  });
  return gone.signal;
}

/**
 * Calls `run` when the response is sent or the connection closes, or at once if it is closed. Node emits no 'close' for
 * a pipelined response that waits for an earlier one, so the function also watches the socket.
 */
export function whenClosed({ request, raw }: FastifyReply, run: () => void): void {
  const { socket } = request.raw;
  if (raw.destroyed || socket.destroyed) {
    run();
    return;
  }
  if (request.atClose === undefined) {
    request.atClose = [];
    const close = () => {
      raw.off('close', close);
      socket.off('close', close);
      runAll(request);
    };
    raw.once('close', close);
    // Each pipelined request adds a listener, so the default limit of 10 listeners is too low.
    socket.setMaxListeners(0).once('close', close);
  }
  request.atClose.push(run);
}

function runAll({ atClose = [], log }: FastifyRequest): void {
  for (const step of atClose.splice(0)) {
    try {
      step();
    } catch (err) {
      log.error({ err }, 'a step at the end of a request failed');
    }
  }
}

function toDisconnected(): ServiceError {
  return new ServiceError('Timeout', 'The caller disconnected before the response.', { status: 408 });
}
