import { type DestinationStream, type Logger, pino } from 'pino';
import type { App } from '../app.js';

/** Time in milliseconds for which log lines wait, so that one call writes several lines. */
const WAIT_MS = 100;
/** When the waiting lines reach this total number of characters, the logger writes them before the wait ends. */
const EARLY_AT_BYTES = 16_000;

/**
 * Creates the logger of the service, which writes JSON to standard output. At the level `trace` the form parser logs
 * all headers of a form, so the logger removes them.
 */
export function createLogger(level: string): Logger {
  return pino({ level, redact: { paths: ['busboyOptions.headers'], remove: true } }, bufferLines());
}

function bufferLines(): DestinationStream {
  // Synchronous: at the exit, the asynchronous mode would retry for ever when nobody reads the output.
  const output = pino.destination({ dest: 1, sync: true });
  let lines = '';
  const flush = () => {
    process.off('exit', flush);
    if (lines !== '') output.write(lines);
    lines = '';
  };
  return {
    write(line) {
      if (lines === '') {
        setTimeout(flush, WAIT_MS).unref();
        process.once('exit', flush);
      }
      lines += line;
      if (lines.length >= EARLY_AT_BYTES) flush();
    },
  };
}

/** Writes one log line per request, with its route and never its query, headers or body. */
export function logRequests(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      project: request.principal?.projectId,
    };
    request.log.info(line, 'request');
    done();
  });
}
