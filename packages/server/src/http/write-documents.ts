import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import Fastify from 'fastify';
import type { App } from './app.js';
import { selectRoutes } from './openapi/openapi.js';
import type { ReferenceText } from './reference/frame.js';
import { readDocument } from './reference/read-document.js';
import { listApiPages, toPageName } from './reference/reference-routes.js';
import { describeInAllForms } from './routes/api-documents.js';
import { DESCRIBED_ROUTES, DOCUMENTS_FILE, packDocuments } from './wire/rendered-documents.js';

/**
 * Renders all descriptions of the API during the build, so no request waits for the rendering. `document`: the OpenAPI
 * document of a service with the defaults of ADMIN_PORT and COMPAT_ROUTES.
 */
export async function writeDocuments(
  document: object,
  texts: readonly ReferenceText[],
  file = DOCUMENTS_FILE,
): Promise<void> {
  const rendered = [];
  for (const routes of DESCRIBED_ROUTES) {
    const app = await serveDocument(selectRoutes(document, routes));
    const home = routes.part === 'operators' ? undefined : '/app/';
    const pages = listApiPages({ api: readDocument(app.swagger()), texts, home });
    for (const [name, write] of Object.entries(describeInAllForms(app)))
      rendered.push({ ...routes, name, text: write() });
    for (const [name, write] of pages) rendered.push({ ...routes, name: toPageName(name), text: write() });
    await app.close();
  }
  await packDocuments(file, rendered);
}

async function serveDocument(document: object): Promise<App> {
  const app = Fastify();
  const specification = { document } as StaticDocumentSpec;
  await app.register(swagger, { mode: 'static', specification });
  await app.ready();
  return app.withTypeProvider();
}
