import type { FastifyReply } from 'fastify';
import type { Scheduler, Turn } from '../../platform/work/scheduler.js';
import type { App, AppDeps } from '../app.js';
import { signalOfCaller, whenClosed } from '../wire/caller-signal.js';
import { announcedBytes } from '../wire/receive-body.js';
import { countBytes } from './limit-requests.js';

/** Parsing and checking a longer JSON text blocks the main thread for milliseconds. */
const LARGE_JSON_BYTES = 64 * 1024;
/** A text of at most this length never waits. */
const SMALL_JSON_BYTES = 16 * 1024;
/** A text between these two limits waits if it has more commas. Prose of 64 KiB has about 1,000. */
const MANY_COMMAS = 1_000;
const COMMA = 0x2c;

/** Memory of a parsed text and of its records, in bytes per byte of text. A measurement with batches gave about 25. */
const MEMORY_PER_BYTE = 24;

/**
 * Parses and checks large JSON texts in the fair queue, one text of a project at a time. A waiting text stays in memory
 * as bytes. The parsed texts of all projects share a limited memory until their responses.
 */
export function parseInTurn(app: App, { records: { scheduler }, limits }: TurnDeps): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { principal, headers } = request;
    if (principal !== undefined && announcedBytes(headers) > SMALL_JSON_BYTES) {
      request.beginParse = async (bytes) => {
        if (!isLarge(bytes)) return;
        const { projectId } = principal;
        const memoryBytes = MEMORY_PER_BYTE * bytes.length;
        request.dropBody = await takeTurn(scheduler, { projectId, kind: 'body', memoryBytes }, reply);
        request.endParse = await takeTurn(scheduler, { projectId, kind: 'parse' }, reply);
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
  // Ends the turn of an invalid text, which reaches no handler. Its pipelined response can wait for earlier ones.
  app.addHook('onSend', ({ endParse, dropBody }, _reply, _payload, done) => {
    endParse?.();
    dropBody?.();
    done();
  });
}

function isLarge(bytes: Uint8Array): boolean {
  if (bytes.length > LARGE_JSON_BYTES) return true;
  return bytes.length > SMALL_JSON_BYTES && hasManyCommas(bytes);
}

function hasManyCommas(bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = bytes.indexOf(COMMA); at !== -1; at = bytes.indexOf(COMMA, at + 1)) {
    count++;
    if (count > MANY_COMMAS) return true;
  }
  return false;
}

type TurnDeps = Pick<AppDeps, 'limits'> & { records: Pick<AppDeps['records'], 'scheduler'> };

/** Resolves to a function that ends the turn. */
function takeTurn(
  scheduler: Pick<Scheduler, 'run'>,
  task: Pick<Turn, 'projectId' | 'kind' | 'memoryBytes'>,
  reply: FastifyReply,
): Promise<() => void> {
  const turn = { ...task, signal: signalOfCaller(reply) };
  return new Promise((resolve, reject) => {
    const waitForEnd = () =>
      new Promise<void>((end) => {
        whenClosed(reply, end);
        resolve(end);
      });
    scheduler.run(turn, waitForEnd).catch(reject);
  });
}
