import { type Logger, pino } from 'pino';
import type { App } from './app.js';

/** What the service tells, as JSON on standard output. At the level `trace` the parser of forms adds all headers: not these. */
export function createLogger(level: string): Logger {
  return pino({ level, redact: { paths: ['busboyOptions.headers'], remove: true } });
}

/** One line for each request, with its route and never its query, headers or body. */
export function logRequests(app: App): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      project: request.holder?.projectId,
    };
    request.log.info(line, 'request');
  });
}
