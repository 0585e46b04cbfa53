import { z } from 'zod';
import type { App, AppDeps } from '../app.js';
import { toLlmsText } from './llms-text.js';

const healthSchema = z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' });

/** `GET /` and the description of the API. A browser is redirected to `home`. */
export function serviceRoutes(app: App, { version }: Pick<AppDeps, 'version'>, home: string): void {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getHealth',
        tags: ['service'],
        summary: 'Whether the service runs, and which version; a browser is sent to the page',
        security: [],
        response: { 200: healthSchema, 302: z.null().describe(`To ${home}`) },
      },
    },
    async (request, reply) => {
      if (request.headers.accept?.includes('text/html')) return reply.redirect(home);
      return { status: 'ok' as const, version };
    },
  );
  // The document is public and large, so it is written once.
  let document: string | undefined;
  let forModels: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/llms.txt', { schema: { hide: true } }, async (_request, reply) => {
    forModels ??= toLlmsText(app.swagger());
    return reply.type('text/plain; charset=utf-8').send(forModels);
  });
}
