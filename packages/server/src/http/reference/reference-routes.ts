import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, AppDeps } from '../app.js';
import { countFile, countVisitor } from '../middleware/limit-requests.js';
import { openPageFiles, type PageFiles } from '../wire/page-files.js';
import { createSharedAnswer } from '../wire/shared-answer.js';
import { framePage, type ReferenceIndex, type ReferenceText } from './frame.js';
import { renderGroup } from './group-page.js';
import { renderOverview } from './overview-page.js';
import { readDocument } from './read-document.js';
import { renderSchemas } from './schemas-page.js';

/** The reference loads resources of this service only. */
const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
/**
 * Files of the build that the pages load. Browsers must revalidate them before each use, because the names stay the
 * same.
 */
const FILES = ['reference.css', 'reference.js', 'icon.svg'];
const TEXTS = 'texts.json';

type SendDocument = (reply: FastifyReply) => Promise<FastifyReply>;

interface ReferenceDeps extends Pick<AppDeps, 'limits' | 'management'> {
  documents: Readonly<Record<'json' | 'yaml', SendDocument>>;
  /** The address of the web page; undefined on the port of the operators, which does not serve this page. */
  home: string | undefined;
}

/** Serves the API reference below `/docs`. Each page is rendered at its first request. */
export async function referenceRoutes(app: App, deps: ReferenceDeps): Promise<void> {
  const { limits, documents } = deps;
  const web = path.dirname(createRequire(import.meta.url).resolve('@colophon/web/package.json'));
  const files = await openPageFiles(path.join(web, 'dist/docs'));
  const send = createPages(app, deps, files);
  const hidden = { schema: { hide: true } };
  const asVisitor = (request: FastifyRequest, reply: FastifyReply) => countVisitor(limits, request, reply);
  app.get('/docs/json', { ...hidden, onRequest: asVisitor }, (_request, reply) => documents.json(reply));
  app.get('/docs/yaml', { ...hidden, onRequest: asVisitor }, (_request, reply) => documents.yaml(reply));
  const onRequest = (request: FastifyRequest) => countFile(limits, request);
  app.get('/docs', { ...hidden, onRequest }, (_request, reply) => send(reply, ''));
  const params = z.object({ '*': z.string() });
  app.get('/docs/*', { schema: { hide: true, params }, onRequest }, (request, reply) => {
    const name = request.params['*'];
    if (!FILES.includes(name)) return send(reply, name);
    reply.header('content-security-policy', REFERENCE_POLICY);
    return files.send(reply, { name, cache: 'no-cache' });
  });
}

/** Returns the function that sends the page with a path below `/docs/`, or 404. */
function createPages(app: App, deps: ReferenceDeps, files: PageFiles) {
  let found: Promise<ReadonlyMap<string, SendDocument>> | undefined;
  return async (reply: FastifyReply, name: string): Promise<FastifyReply> => {
    found ??= listPages(app, deps, files).catch((error) => {
      found = undefined; // The next request tries again.
      throw error;
    });
    const page = (await found).get(name);
    if (page === undefined) {
      reply.callNotFound();
      return reply;
    }
    reply.headers({
      'content-security-policy': REFERENCE_POLICY,
      'cross-origin-opener-policy': 'same-origin',
    });
    return page(reply);
  };
}

async function listPages(
  app: App,
  { management, home }: ReferenceDeps,
  files: PageFiles,
): Promise<ReadonlyMap<string, SendDocument>> {
  const readTexts = async (): Promise<(ReferenceText & { html: string })[]> =>
    JSON.parse((await files.readUnkept(TEXTS)) ?? '[]');
  // Keeps only the paths and titles of the texts in memory, because the rendered page of a text stays in memory and
  // contains the HTML of the text.
  const texts = (await readTexts()).map(({ path: of, title }): ReferenceText => ({ path: of, title }));
  const index: ReferenceIndex = { api: readDocument(app.swagger()), texts, home };
  const page = (write: () => string | Promise<string>) =>
    createSharedAnswer(HTML, write, { isCounted: false });
  const text = async ({ path: of, title }: ReferenceText) => {
    const { html = '' } = (await readTexts()).find((one) => one.path === of) ?? {};
    return framePage(index, { title, path: of, content: { html } });
  };
  // Without `home`, these are the pages on the port of the operators. PUBLIC_URL is not the address of this port.
  const address = home === undefined ? undefined : management.deps.publicUrl;
  const overview = page(() => renderOverview(index, address));
  return new Map<string, SendDocument>([
    ['', overview],
    ['schemas', page(() => renderSchemas(index))],
    ...index.api.groups.map((group): [string, SendDocument] => [
      group.name,
      page(() => renderGroup(index, group)),
    ]),
    ...texts.map((one): [string, SendDocument] => [one.path, page(() => text(one))]),
  ]);
}
