import type { App } from './app.js';
import type { JsonReader } from './json-reader.js';

/** Reads JSON bodies as they are: what a schema refuses is refused there, and no byte is silently replaced. */
export function readJsonBodies(app: App, reader: JsonReader): void {
  app.decorate('json', reader);
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { holdsMany } = request.routeOptions.config;
    try {
      done(
        null,
        reader.read({
          bytes: typeof body === 'string' ? Buffer.from(body) : body,
          what: 'the body',
          holdsMany,
        }),
      );
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
