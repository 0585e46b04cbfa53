import swaggerUi from '@fastify/swagger-ui';
import type { App } from './app.js';

/** Serves the API reference at `/docs`, with everything it loads. */
export async function serveDocs(app: App): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true, validatorUrl: null },
    theme: { title: 'Colophon API' },
  });
}
