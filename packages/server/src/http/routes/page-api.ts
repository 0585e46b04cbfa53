import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App, AppDeps, PageRouteDeps } from '../app.js';
import { assertOwnPage, guardSession, sessionOf } from '../middleware/guard-page.js';
import { countPageChange, countPageRead, countSignIn, countUserRead } from '../middleware/limit-requests.js';
import { refuseUnknownPaths } from '../middleware/method-not-allowed.js';
import { assertJson } from '../wire/assert-json.js';
import { tagAnswers } from '../wire/etag.js';
import { isSafe } from '../wire/is-safe.js';
import { negotiate } from '../wire/negotiate.js';
import { managementTable } from './management.js';
import { openIdRoutes } from './session/openid.js';
import { ownSessionRoutes, sessionRoutes } from './session/session.js';

/** Maximum size of the body of a change by the page. A route may set another limit. */
const MAX_PAGE_BODY_BYTES = 8 * 1024;

/** Prefix of the routes for the page only. */
export const PAGE_API = '/app/api';

/** Sign-in, and the routes of `/management` on behalf of the signed-in user. Only the page uses them. */
export async function pageApi(
  app: App,
  deps: PageRouteDeps,
  refuseOthers: (scope: App) => void,
): Promise<void> {
  openIdRoutes(app, deps);
  await app.register(async (scope) => {
    const own = scope as App;
    own.addHook('onRequest', async (request) => assertOwnPage(request, deps.management.deps.publicUrl));
    own.addHook('onRequest', (request, reply) => countCall(deps, { request, reply }));
    own.addHook('onRoute', (route) => {
      route.bodyLimit ??= MAX_PAGE_BODY_BYTES;
      // With CORS headers, pages of other origins could read responses that the browser stored.
      route.config = { ...route.config, cors: false };
    });
    own.addHook('preValidation', async (request) => assertJson(request));
    negotiate(own);
    describe(own);
    sessionRoutes(own, deps);
    await own.register(async (inner) => signedIn(inner as App, deps, refuseOthers));
  });
}

/** Counts a request by address, before the service reads its session or body. */
async function countCall(
  { sessions, limits }: Pick<AppDeps, 'sessions' | 'limits'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  if (isRead(request)) await countPageRead(limits, request);
  else if (request.routeOptions.config.triesPassword) await countSignIn(sessions.limits, request, reply);
  else await countPageChange(limits, request, reply);
}

const isRead = ({ method }: FastifyRequest) => isSafe(method);

async function signedIn(app: App, deps: PageRouteDeps, refuseOthers: (scope: App) => void): Promise<void> {
  guardSession(app, deps);
  app.addHook('onRequest', async (request) => {
    if (isRead(request)) await countUserRead(deps.limits, sessionOf(request).userId);
  });
  tagAnswers(app);
  ownSessionRoutes(app, deps);
  await app.register(
    async (scope) => {
      // The API document has these operations under /management.
      scope.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
      });
      managementTable(scope as App, deps);
    },
    { prefix: PAGE_API },
  );
  refuseOthers(app);
  refuseUnknownPaths(app, PAGE_API);
}

function describe(app: App): void {
  app.addHook('onRoute', (route) => {
    route.schema = { tags: ['page'], security: [{ session: [] }], ...route.schema };
  });
}
