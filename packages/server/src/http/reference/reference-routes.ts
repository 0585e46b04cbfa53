import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, AppDeps } from '../app.js';
import { countFile, countVisitor } from '../middleware/limit-requests.js';
import { openPageFiles, type PageFiles } from '../wire/page-files.js';
import type { RenderedDocuments } from '../wire/rendered-documents.js';
import { createSharedAnswer } from '../wire/shared-answer.js';
import { framePage, type ReferenceIndex, type ReferenceText } from './frame.js';
import { renderGroup } from './group-page.js';
import { renderOverview, withAddress } from './overview-page.js';
import { type ApiReference, readDocument } from './read-document.js';
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
/** Browsers must revalidate these files before each use, because the names stay the same. */
const FILES = ['reference.css', 'reference.js', 'icon.svg'];
const TEXTS = 'texts.json';

type SendDocument = (reply: FastifyReply) => Promise<FastifyReply>;

interface ReferenceDeps extends Pick<AppDeps, 'limits' | 'management'> {
  documents: Readonly<Record<'json' | 'yaml', SendDocument>>;
  /** The pages of the build; undefined when the code runs without a build. */
  rendered: RenderedDocuments | undefined;
  /** Address of the web page; undefined on ADMIN_PORT. */
  home: string | undefined;
}

/** Serves the API reference below `/docs`. Without a build, the first request for a page renders it. */
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

/** `name`: the path below `/docs/`. */
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
  { management, home, rendered }: ReferenceDeps,
  files: PageFiles,
): Promise<ReadonlyMap<string, SendDocument>> {
  const readTexts = async (): Promise<(ReferenceText & { html: string })[]> =>
    JSON.parse((await files.readUnkept(TEXTS)) ?? '[]');
  // The HTML of the texts stays in memory only as a part of rendered pages.
  const texts = (await readTexts()).map(({ path: of, title }): ReferenceText => ({ path: of, title }));
  const api = rendered === undefined ? readDocument(app.swagger()) : outlineApi(rendered);
  const index: ReferenceIndex = { api, texts, home };
  const text = async ({ path: of, title }: ReferenceText) => {
    const { html = '' } = (await readTexts()).find((one) => one.path === of) ?? {};
    return framePage(index, { title, path: of, content: { html } });
  };
  // PUBLIC_URL is not the address of ADMIN_PORT.
  const address = home === undefined ? undefined : management.deps.publicUrl;
  const pages = rendered === undefined ? listApiPages(index) : readPages(rendered);
  const send = (write: () => string | Promise<string>) =>
    createSharedAnswer(HTML, write, { isCounted: false });
  return new Map<string, SendDocument>([
    ...[...pages].map(([name, write]): [string, SendDocument] => [
      name,
      send(name === '' ? async () => withAddress(await write(), address) : write),
    ]),
    ...texts.map((one): [string, SendDocument] => [one.path, send(() => text(one))]),
  ]);
}

/** Maps the path of a page below `/docs/` to its text. No page contains a base URL. */
export function listApiPages(index: ReferenceIndex): ReadonlyMap<string, () => string> {
  return new Map<string, () => string>([
    [OVERVIEW, () => renderOverview(index)],
    [SCHEMAS, () => renderSchemas(index)],
    ...index.api.groups.map((group): [string, () => string] => [group.name, () => renderGroup(index, group)]),
  ]);
}

const OVERVIEW = '';
const SCHEMAS = 'schemas';
const PAGE_FOLDER = 'docs/';

/** Name of a page of the API among the rendered documents. */
export function toPageName(path: string): string {
  return `${PAGE_FOLDER}${path}`;
}

function listPaths({ names }: RenderedDocuments): string[] {
  return names.filter((name) => name.startsWith(PAGE_FOLDER)).map((name) => name.slice(PAGE_FOLDER.length));
}

function readPages(rendered: RenderedDocuments): ReadonlyMap<string, () => Promise<string>> {
  return new Map(listPaths(rendered).map((name) => [name, () => rendered.read(toPageName(name))]));
}

/** The frame of a text needs only the names of the groups. */
function outlineApi(rendered: RenderedDocuments): ApiReference {
  const names = listPaths(rendered).filter((name) => name !== OVERVIEW && name !== SCHEMAS);
  const groups = names.map((name) => ({ name, description: '', operations: [] }));
  return { version: '', summary: '', groups, schemas: {} };
}
