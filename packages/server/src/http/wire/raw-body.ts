import type { App } from '../app.js';
import { unsupportedType } from './unsupported-type.js';

/** Passes bodies without a parser as streams to routes that take bytes; other routes reject them. */
export function passRawBodies(app: App): void {
  // Routes that take bytes have their own limit, so Fastify's limit for JSON does not apply.
  app.addHook('onRequest', async (request) => {
    const { routeOptions, headers } = request;
    if (routeOptions.config.rawBody === undefined || !isJson(headers['content-type'])) return;
    throw unsupportedType(request);
  });
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config.rawBody !== undefined) return done(null, payload);
    done(unsupportedType(request));
  });
}

function isJson(contentType = ''): boolean {
  return /^\s*application\/json\b/i.test(contentType);
}
