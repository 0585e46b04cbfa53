import swaggerUi from '@fastify/swagger-ui';
import type { FastifyRequest } from 'fastify';
import type { App, AppDeps } from '../app.js';
import { countFile, countVisitor } from '../middleware/limit-requests.js';
import type { ApiDocuments } from './api-documents.js';

/** The reference loads resources of this service only. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the API reference at `/docs`, with everything it loads. */
export async function serveDocs(
  app: App,
  { limits }: Pick<AppDeps, 'limits'>,
  documents: ApiDocuments,
): Promise<void> {
  const senders = new Map([
    ['/docs/json', documents.json],
    ['/docs/yaml', documents.yaml],
  ]);
  const senderFor = ({ routeOptions }: FastifyRequest) => senders.get(routeOptions.url ?? '');
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (senderFor(request) === undefined) await countFile(limits, request);
      else await countVisitor(limits, request, reply);
    });
    await scope.register(swaggerUi, {
      uiHooks: {
        onRequest: async (_request, reply) => void reply.header('cross-origin-opener-policy', 'same-origin'),
        // Sends the shared documents. The plugin would create them again for each request.
        preHandler: async (request, reply) => senderFor(request)?.(reply),
      },
      routePrefix: '/docs',
      staticCSP: DOCS_POLICY,
      uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true, validatorUrl: null },
      theme: { title: 'Colophon API' },
    });
  });
}
