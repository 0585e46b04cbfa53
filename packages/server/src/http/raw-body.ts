import { ServiceError } from '../errors.js';
import type { App } from './app.js';

/** Hands bodies of any type that has no parser to routes that take bytes, as a stream; others refuse them. */
export function passRawBodies(app: App): void {
  // Bytes have a limit of their own, which is none for JSON.
  app.addHook('onRequest', async ({ routeOptions, headers }) => {
    if (routeOptions.config.rawBody === undefined || !isJson(headers['content-type'])) return;
    throw new ServiceError('Unsupported', 'This operation takes the bytes of an asset, and no JSON.');
  });
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config.rawBody !== undefined) return done(null, payload);
    done(new ServiceError('Unsupported', 'The media type of the body is not taken here.'));
  });
}

function isJson(contentType = ''): boolean {
  return /^\s*application\/json\b/i.test(contentType);
}
