import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { assertPermission, assertUnbound } from '../../access/authenticate.js';
import type { Principal } from '../../control/api-keys.sql.js';
import { ServiceError } from '../../errors.js';
import type { App, AppDeps } from '../app.js';
import { assertJson } from '../wire/assert-json.js';
import { tagAnswers } from '../wire/etag.js';
import { assertAnswersRead } from '../wire/limit-unread-answers.js';
import { negotiate } from '../wire/negotiate.js';
import { passRawBodies } from '../wire/raw-body.js';
import { countBody, countFailure, countRequest } from './limit-requests.js';
import { meterUsage } from './meter-usage.js';
import { parseInTurn } from './parse-in-turn.js';
import { assertWithinLimits } from './project-limits.js';

const NOT_MODIFIED = z.null().describe('Not modified: `If-None-Match` names the current `ETag`');

/** Guards the routes of a project: authentication, permission and limits. Also negotiates responses and sets ETags. */
export function guardProject(app: App, deps: AppDeps): void {
  meterUsage(app, deps);
  app.addHook('onRequest', async (request, reply) => {
    const principal = await identify(deps, request, reply);
    request.principal = principal;
    await countRequest(deps.limits, principal, { request, reply });
    const { permission = 'read', forProject } = request.routeOptions.config;
    assertPermission(principal, permission);
    if (forProject) assertUnbound(principal);
    if (!['GET', 'HEAD'].includes(request.method))
      assertAnswersRead(deps.limits.answers, principal.projectId);
    await assertWithinLimits(deps.management.deps.totals, principal, { request, reply });
    countBody(deps.limits, principal, { request, reply });
  });
  parseInTurn(app, deps);
  app.addHook('preValidation', (request, _reply, done) => {
    assertJson(request);
    request.sent = request.body;
    done();
  });
  negotiate(app);
  passRawBodies(app);
  tagAnswers(app);
  app.addHook('onRoute', (route) => {
    route.schema = { security: [{ apiKey: [] }], ...route.schema };
    if (route.method === 'GET')
      route.schema.response = { 304: NOT_MODIFIED, ...Object(route.schema.response) };
  });
}

async function identify(
  { limits, authenticate }: Pick<AppDeps, 'limits' | 'authenticate'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  try {
    return await authenticate(request.headers.authorization);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Unauthorized')
      await countFailure(limits, request, reply);
    throw error;
  }
}
