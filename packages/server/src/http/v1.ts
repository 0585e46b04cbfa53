import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { KeyHolder } from '../access/api-keys.sql.js';
import { assertPermission } from '../access/authenticate.js';
import { ServiceError } from '../errors.js';
import type { App, AppNeeds } from './app.js';
import { assertJson } from './assert-json.js';
import { tagAnswers } from './etag.js';
import { countFailure, countRequest } from './limit-requests.js';
import { meterUsage } from './meter-usage.js';
import { negotiate } from './negotiate.js';
import { passRawBodies } from './raw-body.js';
import { actionRoutes } from './routes/actions.js';
import { activityRoutes } from './routes/activity.js';
import { attributionRoutes } from './routes/attributions.js';
import { bundleRoutes } from './routes/bundle.js';
import { distributionRoutes } from './routes/distribution.js';
import { entityRoutes } from './routes/entities.js';
import { logRoutes } from './routes/log.js';
import { mediaRoutes } from './routes/media.js';
import { personalDataRoutes } from './routes/personal-data.js';
import { receiptRoutes } from './routes/receipts.js';
import { resourceRoutes } from './routes/resources.js';
import { searchRoutes } from './routes/search.js';
import { softBindingRoutes } from './routes/soft-bindings.js';

const NOT_MODIFIED = z.null().describe('The caller has this answer: `If-None-Match` names its `ETag`');

/** Everything under `/v1`: who calls, how often, and may they; then the routes. */
export function v1Routes(app: App, needs: AppNeeds): void {
  meterUsage(app, needs.meter);
  app.addHook('onRequest', async (request, reply) => {
    const holder = await identify(needs, request, reply);
    request.holder = holder;
    countRequest(needs.limits, holder.keyId, reply);
    assertPermission(holder, request.routeOptions.config.permission ?? 'read');
  });
  app.decorateRequest('sent', undefined);
  app.addHook('preValidation', async (request) => {
    assertJson(request);
    request.sent = request.body;
  });
  negotiate(app);
  passRawBodies(app);
  tagAnswers(app);
  app.addHook('onRoute', (route) => {
    route.schema = { security: [{ apiKey: [] }], ...route.schema };
    if (route.method === 'GET')
      route.schema.response = { 304: NOT_MODIFIED, ...Object(route.schema.response) };
  });
  entityRoutes(app, needs);
  personalDataRoutes(app, needs);
  actionRoutes(app, needs);
  activityRoutes(app, needs);
  attributionRoutes(app, needs);
  bundleRoutes(app, needs);
  distributionRoutes(app, needs);
  resourceRoutes(app, needs);
  searchRoutes(app, needs);
  softBindingRoutes(app, needs);
  mediaRoutes(app, needs);
  logRoutes(app, needs);
  receiptRoutes(app, needs);
}

async function identify(
  { limits, authenticate }: AppNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeyHolder> {
  try {
    return await authenticate(request.headers.authorization);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Unauthorized') countFailure(limits, request, reply);
    throw error;
  }
}
