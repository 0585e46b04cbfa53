import type { FastifyReply } from 'fastify';
import type { Principal } from '../../control/api-keys.sql.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import type { App, AppDeps } from '../app.js';
import { signalOfCaller, whenClosed } from '../wire/caller-signal.js';
import { countBytes } from './limit-requests.js';

/** Parsing and checking a longer JSON text takes the main thread for milliseconds. */
const LARGE_JSON_BYTES = 64 * 1024;

/**
 * Parses and checks large JSON texts in the fair queue, one text of a project at a time. A waiting text stays in memory
 * as bytes. A text that the queue rejects is never parsed.
 */
export function parseInTurn(app: App, { records: { scheduler }, limits }: TurnDeps): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { principal, headers } = request;
    const { 'content-length': length = Number.POSITIVE_INFINITY } = headers;
    if (principal !== undefined && Number(length) > LARGE_JSON_BYTES) {
      request.beginParse = async (sizeBytes) => {
        if (sizeBytes > LARGE_JSON_BYTES) request.endParse = await takeTurn(scheduler, principal, reply);
      };
      request.countParsed = (bytes) => countBytes(limits, principal, { reply, bytes });
    }
    done(null, payload);
  });
  // The handler first makes digests of the parsed text, which take as long as the parse.
  app.addHook('preHandler', ({ endParse }, _reply, done) => {
    if (endParse !== undefined) setImmediate(endParse);
    done();
  });
  // Ends the turn before the response is sent: a pipelined response to an invalid text can wait long for the client.
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
