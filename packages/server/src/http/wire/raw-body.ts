import type { App } from '../app.js';
import { unsupportedType } from './unsupported-type.js';

/** Passes a body to a route with `rawBody` as a stream. All other routes reject a type without a parser. */
export function passRawBodies(app: App): void {
  // The body limit of these routes is for files. With this limit, the JSON parser could read too much into memory.
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
