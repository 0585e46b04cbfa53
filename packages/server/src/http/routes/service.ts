import { ERROR_CODES } from '@colophon/model';
import { z } from 'zod';
import type { App, AppDeps } from '../app.js';
import { errorSchema } from '../wire/error-schemas.js';
import type { ApiDocuments } from './api-documents.js';

const healthSchema = z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' });

interface ServiceRouteDeps extends Pick<AppDeps, 'version'> {
  documents: ApiDocuments;
  /** Path to which a browser is redirected. */
  home: string;
}

export function serviceRoutes(app: App, { version, documents, home }: ServiceRouteDeps): void {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getHealth',
        tags: ['service'],
        summary: 'Whether the service runs, and which version; redirects a browser to the page',
        security: [],
        response: {
          200: healthSchema,
          302: z.null().describe('To `/app/`, or on `ADMIN_PORT` to `/docs`'),
          429: errorSchema.describe(`\`TooManyRequests\`: ${ERROR_CODES.TooManyRequests.meaning}`),
        },
      },
    },
    async (request, reply) => {
      if (request.headers.accept?.includes('text/html')) return reply.redirect(home);
      return { status: 'ok' as const, version };
    },
  );
  const hidden = { schema: { hide: true } };
  app.get('/openapi.json', hidden, (_request, reply) => documents.json(reply));
  app.get('/llms.txt', hidden, (_request, reply) => documents.forModels(reply));
}
