import swaggerUi from '@fastify/swagger-ui';
import type { App, AppDeps } from '../app.js';
import { countVisitor } from '../middleware/limit-requests.js';
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

/** Serves the API reference at `/docs`, with everything it loads. Only its two documents are counted as requests. */
export async function serveDocs(
  app: App,
  { limits }: Pick<AppDeps, 'limits'>,
  documents: ApiDocuments,
): Promise<void> {
  const senders = new Map([
    ['/docs/json', documents.json],
    ['/docs/yaml', documents.yaml],
  ]);
  await app.register(swaggerUi, {
    uiHooks: {
      async onRequest(request, reply) {
        reply.header('cross-origin-opener-policy', 'same-origin');
        if (senders.has(request.routeOptions.url ?? '')) await countVisitor(limits, request, reply);
      },
      // The plugin would write its documents again for each request.
      async preHandler(request, reply) {
        await senders.get(request.routeOptions.url ?? '')?.(reply);
      },
    },
    routePrefix: '/docs',
    staticCSP: DOCS_POLICY,
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true, validatorUrl: null },
    theme: { title: 'Colophon API' },
  });
}
