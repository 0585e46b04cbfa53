import { z } from 'zod';
import type { App, AppNeeds } from '../app.js';
import { toLlmsText } from '../llms-text.js';

const healthSchema = z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' });

/** `GET /` and the API's own description; a browser is sent to `home`. */
export function serviceRoutes(app: App, { version }: AppNeeds, home: string): void {
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
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  app.get('/llms.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(toLlmsText(app.swagger())),
  );
}
