import type { App, AppDeps } from '../app.js';
import { guardProject } from '../middleware/guard-project.js';
import { identifyMember } from '../middleware/identify-member.js';
import { PAGE_API } from './page-api.js';
import { v1Table } from './v1.js';

/** Prefix of the `/v1` routes of one project for the signed-in users of the page. */
const PAGE_PROJECT = `${PAGE_API}/projects/:projectId`;

/**
 * Adds the routes of `/v1` below `/app/api/projects/:projectId`, for the members of the project's organisation. Below
 * this path, the service authenticates members by the session of the page. Below `/v1`, it accepts only API keys.
 */
export async function pageProjectRoutes(app: App, deps: AppDeps): Promise<void> {
  guardProject(app, deps, identifyMember);
  app.addHook('onRoute', (route) => {
    // The API document has these operations under /v1.
    route.config = { ...route.config, cors: false };
    route.schema = { ...route.schema, hide: true };
  });
  // The browser asks the service before each use of a stored response. So nobody sees a stored response after a
  // sign-out or the end of a membership. Under /v1, a browser may use stored bytes for a year without a request.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('cache-control', 'private, no-cache');
    done();
  });
  await app.register(async (scope) => v1Table(scope as App, deps), { prefix: PAGE_PROJECT });
}
