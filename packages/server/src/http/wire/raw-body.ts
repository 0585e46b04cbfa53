import type { App } from '../app.js';
import { unsupportedType } from './unsupported-type.js';

/** Passes bodies without a parser as a stream to routes that take bytes. Other routes reject them. */
export function passRawBodies(app: App): void {
  // Bytes have a limit of their own, which is none for JSON.
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
