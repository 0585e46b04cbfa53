import type { App } from './app.js';

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
