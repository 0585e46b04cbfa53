import { ServiceError } from '../errors.js';
import type { App } from './app.js';

/** Hands bodies of any type that has no parser to routes that take bytes, as a stream; others refuse them. */
export function passRawBodies(app: App): void {
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config.rawBody !== undefined) return done(null, payload);
    done(new ServiceError('Unsupported', 'The media type of the body is not taken here.'));
  });
}
