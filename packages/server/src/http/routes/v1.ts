import type { App, AppDeps } from '../app.js';
import { guardProject } from '../middleware/guard-project.js';
import { actionRoutes } from './actions.js';
import { activityRoutes } from './activity.js';
import { attributionRoutes } from './attributions.js';
import { batchRoutes } from './batch.js';
import { bundleRoutes } from './bundle.js';
import { complianceRoutes } from './compliance.js';
import { distributionRoutes } from './distribution.js';
import { entityRoutes } from './entities.js';
import { isccRoutes } from './iscc.js';
import { logRoutes } from './log.js';
import { markRoutes } from './mark.js';
import { mediaRoutes } from './media.js';
import { ownershipRoutes } from './ownership.js';
import { personalDataRoutes } from './personal-data.js';
import { publicationRoutes } from './publications.js';
import { receiptRoutes } from './receipts.js';
import { resourceRoutes } from './resources.js';
import { searchRoutes } from './search.js';
import { softBindingRoutes } from './soft-bindings.js';
import { thumbnailRoutes } from './thumbnails.js';
import { vectorRoutes } from './vectors.js';

export function v1Routes(app: App, deps: AppDeps): void {
  guardProject(app, deps);
  v1Table(app, deps);
}

/** The caller is already authenticated. */
export function v1Table(app: App, deps: AppDeps): void {
  entityRoutes(app, deps);
  personalDataRoutes(app, deps);
  actionRoutes(app, deps);
  activityRoutes(app, deps);
  attributionRoutes(app, deps);
  batchRoutes(app, deps);
  bundleRoutes(app, deps);
  distributionRoutes(app, deps);
  resourceRoutes(app, deps);
  thumbnailRoutes(app, deps);
  ownershipRoutes(app, deps);
  searchRoutes(app, deps);
  vectorRoutes(app, deps);
  isccRoutes(app, deps);
  softBindingRoutes(app, deps);
  mediaRoutes(app, deps);
  markRoutes(app, deps);
  logRoutes(app, deps);
  receiptRoutes(app, deps);
  publicationRoutes(app, deps);
  complianceRoutes(app, deps);
}
