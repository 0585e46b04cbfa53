import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, AppDeps } from '../app.js';
import { countFile, countVisitor } from '../middleware/limit-requests.js';
import { openPageFiles } from '../wire/page-files.js';
import { sendPublication } from './send-publication.js';

/** Resources of this service only, and images and media from memory. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Names of assets contain a digest of their content. */
const ASSETS_CACHE = `public, max-age=${365 * 86_400}, immutable`;

const NOT_INDEXED = { 'x-robots-tag': 'noindex' };

/** A new version of the badge reaches every site after at most this time. */
const BADGE_CACHE = 'public, max-age=3600';

export async function pageRoutes(
  app: App,
  deps: Pick<AppDeps, 'firstKeyHandover' | 'limits' | 'management' | 'publishing' | 'views'>,
): Promise<void> {
  const { firstKeyHandover, limits } = deps;
  const folder = path.dirname(createRequire(import.meta.url).resolve('@colophon/web/package.json'));
  const onRequest = (request: FastifyRequest) => countFile(limits, request);
  const files = await openPageFiles(path.join(folder, 'dist'));
  const rest = z.object({ '*': z.string() });
  app.get('/app', { schema: { hide: true }, onRequest }, async (_request, reply) => reply.redirect('/app/'));
  const asset = z.object({ name: z.string() });
  app.get(
    '/app/assets/:name',
    { schema: { hide: true, params: asset }, onRequest },
    async (request, reply) => {
      reply.header('content-security-policy', PAGE_POLICY);
      return files.send(reply, { name: `assets/${request.params.name}`, cache: ASSETS_CACHE });
    },
  );
  app.get('/app/badge.js', { schema: { hide: true }, onRequest }, async (_request, reply) => {
    // The badge has a stable name because other sites load it.
    reply.header('cross-origin-resource-policy', 'cross-origin');
    return files.send(reply, { name: 'badge.js', cache: BADGE_CACHE });
  });
  // Search engines must not list publications, because the id of a publication gives access to it.
  const robotsOf = (path: string) => (['', 'check'].includes(path) ? {} : NOT_INDEXED);
  const shared = { 'content-security-policy': PAGE_POLICY, 'cross-origin-opener-policy': 'same-origin' };
  app.get(
    '/app/p/:id',
    { schema: { hide: true, params: z.object({ id: z.string() }) }, onRequest },
    async (request, reply) =>
      sendPublication({ ...deps, files }, request, reply.headers({ ...shared, ...NOT_INDEXED })),
  );
  app.get('/app/*', { schema: { hide: true, params: rest }, onRequest }, async (request, reply) => {
    if (/^api(\/|$)/.test(request.params['*'])) return reply.callNotFound();
    reply.headers({ ...shared, ...robotsOf(request.params['*']) });
    return files.send(reply, { name: 'index.html', cache: 'no-cache' });
  });
  app.get(
    '/app/first/:token',
    {
      schema: { hide: true, params: z.object({ token: z.string() }) },
      exposeHeadRoute: false,
      onRequest: (request, reply) => countVisitor(limits, request, reply),
    },
    async (request, reply) => {
      const key = firstKeyHandover.take(request.params.token);
      reply.header('cache-control', 'no-store');
      return reply.redirect(key === undefined ? '/app/' : `/app/#${new URLSearchParams({ key })}`);
    },
  );
}
