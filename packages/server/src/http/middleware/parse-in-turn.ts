import type { FastifyReply } from 'fastify';
import type { Principal } from '../../control/principal.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import type { App, AppDeps } from '../app.js';
import { announcedBytes } from '../wire/announced-bytes.js';
import { signalOfCaller, whenClosed } from '../wire/caller-signal.js';
import { countBytes } from './limit-requests.js';

/** Parsing and checking a longer JSON text blocks the main thread for milliseconds. */
const LARGE_JSON_BYTES = 64 * 1024;

/**
 * Parses and checks large JSON texts in the fair queue, one text of a project at a time. A waiting text stays in memory
 * as bytes. A text that the queue rejects is never parsed.
 */
export function parseInTurn(app: App, { records: { scheduler }, limits }: TurnDeps): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { principal, headers } = request;
    if (principal !== undefined && announcedBytes(headers) > LARGE_JSON_BYTES) {
      request.beginParse = async (sizeBytes) => {
        if (sizeBytes > LARGE_JSON_BYTES) request.endParse = await takeTurn(scheduler, principal, reply);
      };
      request.countParsed = (bytes) => countBytes(limits, principal, { reply, bytes });
    }
    done(null, payload);
  });
  // Ends the turn after the synchronous start of the handler, which computes digests of the parsed text.
  app.addHook('preHandler', ({ endParse }, _reply, done) => {
    if (endParse !== undefined) setImmediate(endParse);
    done();
  });
  // An invalid text ends its turn here, before the response: a pipelined response waits until the client reads.
  app.addHook('onSend', ({ endParse }, _reply, _payload, done) => {
    endParse?.();
    done();
  });
}

type TurnDeps = Pick<AppDeps, 'limits'> & { records: Pick<AppDeps['records'], 'scheduler'> };

/** Resolves in the turn of the project, to the function that ends the turn. */
function takeTurn(
  scheduler: Pick<Scheduler, 'run'>,
  { projectId }: Principal,
  reply: FastifyReply,
): Promise<() => void> {
  const turn = { projectId, kind: 'parse' as const, signal: signalOfCaller(reply) };
  return new Promise((resolve, reject) => {
    const task = () =>
      new Promise<void>((end) => {
        whenClosed(reply, end);
        resolve(end);
      });
    scheduler.run(turn, task).catch(reject);
  });
}
