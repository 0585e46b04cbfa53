import { type DestinationStream, type Logger, pino } from 'pino';
import type { App } from '../app.js';

/** Time for which log lines wait, so that one call writes several lines. */
const WAIT_MS = 100;
/** Length of the waiting lines at which the logger does not wait longer. */
const EARLY_AT_BYTES = 16_000;

/** At the level `trace`, the form parser logs all headers of a form, so the logger removes them. */
export function createLogger(level: string): Logger {
  return pino({ level, redact: { paths: ['busboyOptions.headers'], remove: true } }, bufferLines());
}

function bufferLines(): DestinationStream {
  // In the asynchronous mode, the exit would retry for ever when nobody reads the output.
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

/** Logs the route of a request, and never its query, headers or body. */
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
