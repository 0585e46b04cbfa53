import type { App, AppDeps } from '../app.js';
import { guardProject } from '../middleware/guard-project.js';
import { identifyMember } from '../middleware/identify-member.js';
import { PAGE_API } from './page-api.js';
import { v1Table } from './v1.js';

const PAGE_PROJECT = `${PAGE_API}/projects/:projectId`;

/** The routes of `/v1` for members of an organisation, authenticated by the session of the page. */
export async function pageProjectRoutes(app: App, deps: AppDeps): Promise<void> {
  guardProject(app, deps, identifyMember);
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, cors: false };
    // The API document has these operations under /v1.
    route.schema = { ...route.schema, hide: true };
  });
  // The browser must revalidate stored responses, so nobody sees them after a sign-out or the end of a membership.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('cache-control', 'private, no-cache');
    done();
  });
  await app.register(async (scope) => v1Table(scope as App, deps), { prefix: PAGE_PROJECT });
}
