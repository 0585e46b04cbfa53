import type { App } from '../app.js';
import { unsupportedType } from './unsupported-type.js';

/** If a body has a type without a parser, a route with `rawBody` gets the body as a stream. Other routes reject it. */
export function passRawBodies(app: App): void {
  // Rejects JSON, because the JSON parser would read a body up to the limit of the route, which is for files.
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
