import type { App, AppDeps } from './app.js';
import { guardProject } from './guard-project.js';
import { actionRoutes } from './routes/actions.js';
import { activityRoutes } from './routes/activity.js';
import { attributionRoutes } from './routes/attributions.js';
import { batchRoutes } from './routes/batch.js';
import { bundleRoutes } from './routes/bundle.js';
import { distributionRoutes } from './routes/distribution.js';
import { entityRoutes } from './routes/entities.js';
import { logRoutes } from './routes/log.js';
import { mediaRoutes } from './routes/media.js';
import { ownershipRoutes } from './routes/ownership.js';
import { personalDataRoutes } from './routes/personal-data.js';
import { publicationRoutes } from './routes/publications.js';
import { receiptRoutes } from './routes/receipts.js';
import { resourceRoutes } from './routes/resources.js';
import { searchRoutes } from './routes/search.js';
import { softBindingRoutes } from './routes/soft-bindings.js';
import { vectorRoutes } from './routes/vectors.js';

/** Everything under `/v1`: who calls, how often, and may they; then the routes. */
export function v1Routes(app: App, deps: AppDeps): void {
  guardProject(app, deps);
  entityRoutes(app, deps);
  personalDataRoutes(app, deps);
  actionRoutes(app, deps);
  activityRoutes(app, deps);
  attributionRoutes(app, deps);
  batchRoutes(app, deps);
  bundleRoutes(app, deps);
  distributionRoutes(app, deps);
  resourceRoutes(app, deps);
  ownershipRoutes(app, deps);
  searchRoutes(app, deps);
  vectorRoutes(app, deps);
  softBindingRoutes(app, deps);
  mediaRoutes(app, deps);
  logRoutes(app, deps);
  receiptRoutes(app, deps);
  publicationRoutes(app, deps);
}
