import type { App, AppNeeds } from './app.js';
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
export function v1Routes(app: App, needs: AppNeeds): void {
  guardProject(app, needs);
  entityRoutes(app, needs);
  personalDataRoutes(app, needs);
  actionRoutes(app, needs);
  activityRoutes(app, needs);
  attributionRoutes(app, needs);
  batchRoutes(app, needs);
  bundleRoutes(app, needs);
  distributionRoutes(app, needs);
  resourceRoutes(app, needs);
  ownershipRoutes(app, needs);
  searchRoutes(app, needs);
  vectorRoutes(app, needs);
  softBindingRoutes(app, needs);
  mediaRoutes(app, needs);
  logRoutes(app, needs);
  receiptRoutes(app, needs);
  publicationRoutes(app, needs);
}
