import type { App, AppDeps } from '../app.js';
import { guardProject } from '../middleware/guard-project.js';
import { activityRoutes } from './activity.js';
import { distributionRoutes } from './distribution.js';
import { entityRoutes } from './entities.js';
import { historyRoutes } from './histories.js';
import { mediaRoutes } from './media.js';
import { ownershipRoutes } from './ownership.js';
import { searchRoutes } from './search.js';

export const PROVENANCEKIT_PREFIXES = [
  '/entity',
  '/entities',
  '/activity',
  '/bundle/',
  '/provenance/',
  '/graph/',
  '/session/',
  '/distribution/',
  '/resource/',
  '/search/',
  '/similar/',
  '/embeddings/',
  '/media/',
];

/** The unversioned routes of the ProvenanceKit SDK 0.1.16 and its UI. */
export function provenanceKitRoutes(app: App, deps: AppDeps): void {
  guardProject(app, deps);
  app.addHook('onRoute', (route) => {
    route.schema = { tags: ['compat'], ...route.schema };
  });
  entityRoutes(app, deps);
  activityRoutes(app, deps);
  historyRoutes(app, deps);
  distributionRoutes(app, deps);
  ownershipRoutes(app, deps);
  searchRoutes(app, deps);
  mediaRoutes(app, deps);
}
