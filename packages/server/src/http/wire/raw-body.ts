import type { App } from '../app.js';
import { unsupportedType } from './unsupported-type.js';

/**
 * Passes a body to a route with `rawBody` as a stream, if no parser is registered for the content type of the body. All
 * other routes reject such a body.
 */
export function passRawBodies(app: App): void {
  // A route with `rawBody` rejects JSON. Its body limit is a limit for files, and the JSON parser would read a body up
  // to this limit into memory.
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
