import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { assertPermission, assertUnbound } from '../../access/authenticate.js';
import type { Principal } from '../../control/principal.js';
import { ServiceError } from '../../errors.js';
import type { App, AppDeps } from '../app.js';
import { assertJson } from '../wire/assert-json.js';
import { tagAnswers } from '../wire/etag.js';
import { isSafe } from '../wire/is-safe.js';
import { assertAnswersRead } from '../wire/limit-unread-answers.js';
import { negotiate } from '../wire/negotiate.js';
import { passRawBodies } from '../wire/raw-body.js';
import { countBody, countFailure, countRequest } from './limit-requests.js';
import { meterUsage } from './meter-usage.js';
import { parseInTurn } from './parse-in-turn.js';
import { assertWithinLimits } from './project-limits.js';

const NOT_MODIFIED = z.null().describe('Not modified: `If-None-Match` names the current `ETag`');

/** Throws for a request without valid credentials. */
export type Identify = (deps: AppDeps, request: FastifyRequest) => Promise<Principal>;

/** Guards the routes of a project. The default authentication reads the API key, and never a cookie. */
export function guardProject(app: App, deps: AppDeps, identify: Identify = identifyKey): void {
  meterUsage(app, deps);
  app.addHook('onRequest', async (request, reply) => {
    const principal = await countFailures(deps, { request, reply }, identify);
    request.principal = principal;
    deps.limits.owners.note(principal);
    await countRequest(deps.limits, principal, { request, reply });
    await deps.limits.turns.wait(principal, reply);
    const { permission = 'read', forProject } = request.routeOptions.config;
    assertPermission(principal, permission);
    if (forProject) assertUnbound(principal);
    if (!isSafe(request.method)) assertAnswersRead(deps.limits.answers, principal.projectId);
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

const identifyKey: Identify = ({ authenticate }, { headers }) => authenticate(headers.authorization);

/** A project that does not exist for the caller also counts as a failure. */
async function countFailures(
  deps: AppDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  identify: Identify,
): Promise<Principal> {
  try {
    return await identify(deps, request);
  } catch (error) {
    if (error instanceof ServiceError && ['Unauthorized', 'NotFound'].includes(error.code))
      await countFailure(deps.limits, request, reply);
    throw error;
  }
}
