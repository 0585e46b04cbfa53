import swaggerUi from '@fastify/swagger-ui';
import type { App } from '../app.js';

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
export async function serveDocs(app: App): Promise<void> {
  await app.register(swaggerUi, {
    uiHooks: {
      onRequest: async (_request, reply) => void reply.header('cross-origin-opener-policy', 'same-origin'),
    },
    routePrefix: '/docs',
    staticCSP: DOCS_POLICY,
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true, validatorUrl: null },
    theme: { title: 'Colophon API' },
  });
}
