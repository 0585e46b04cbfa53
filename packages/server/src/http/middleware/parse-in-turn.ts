import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scheduler } from '../../platform/work/scheduler.js';
import type { App } from '../app.js';
import { signalOfCaller, whenClosed } from '../wire/caller-signal.js';

/** Parsing and checking a longer JSON text takes the main thread for milliseconds. */
const LARGE_JSON_BYTES = 64 * 1024;

/**
 * Parses and checks large JSON texts in the fair queue, one text of a project at a time. A text that waits stays
 * bytes. A text that the queue rejects is never parsed.
 */
export function parseInTurn(app: App, scheduler: Pick<Scheduler, 'run'>): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length = Number.POSITIVE_INFINITY } = request.headers;
    if (Number(length) > LARGE_JSON_BYTES) {
      request.beginParse = async (sizeBytes) => {
        if (sizeBytes > LARGE_JSON_BYTES) request.endParse = await takeTurn(scheduler, request, reply);
      };
    }
    done(null, payload);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    request.endParse?.();
    done();
  });
}

/** Resolves in the turn of the project, to the function that ends the turn. */
function takeTurn(
  scheduler: Pick<Scheduler, 'run'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<() => void> {
  const turn = {
    projectId: request.principal?.projectId ?? '',
    kind: 'parse' as const,
    signal: signalOfCaller(reply),
  };
  return new Promise((resolve, reject) => {
    const task = () =>
      new Promise<void>((end) => {
        whenClosed(reply, end);
        resolve(end);
      });
    scheduler.run(turn, task).catch(reject);
  });
}
