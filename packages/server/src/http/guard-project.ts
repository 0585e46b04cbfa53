import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { KeyHolder } from '../access/api-keys.sql.js';
import { assertPermission, assertUnbound } from '../access/authenticate.js';
import { ServiceError } from '../errors.js';
import type { App, AppNeeds } from './app.js';
import { assertJson } from './assert-json.js';
import { assertAnswersRead, boundAnswers } from './bound-answers.js';
import { tagAnswers } from './etag.js';
import { countBody, countFailure, countRequest } from './limit-requests.js';
import { meterUsage } from './meter-usage.js';
import { negotiate } from './negotiate.js';
import { assertWithinLimits } from './project-limits.js';
import { passRawBodies } from './raw-body.js';

const NOT_MODIFIED = z.null().describe('The caller has this answer: `If-None-Match` names its `ETag`');

/** What stands before every route of a project: who calls, how often, and may they. */
export function guardProject(app: App, needs: AppNeeds): void {
  meterUsage(app, needs);
  app.addHook('onRequest', async (request, reply) => {
    const holder = await identify(needs, request, reply);
    request.holder = holder;
    await countRequest(needs.limits, holder, { request, reply });
    const { permission = 'read', forProject } = request.routeOptions.config;
    assertPermission(holder, permission);
    if (forProject) assertUnbound(holder);
    if (!['GET', 'HEAD'].includes(request.method)) assertAnswersRead(needs.limits.answers, holder.projectId);
    await assertWithinLimits(needs.management.needs.totals, holder, { request, reply });
    countBody(needs.limits, holder, { request, reply });
  });
  app.addHook('preValidation', (request, _reply, done) => {
    assertJson(request);
    request.sent = request.body;
    done();
  });
  negotiate(app);
  passRawBodies(app);
  tagAnswers(app);
  boundAnswers(app, needs, {
    ownerOf: ({ holder }) => holder?.projectId ?? '',
    ownerName: 'this project',
  });
  app.addHook('onRoute', (route) => {
    route.schema = { security: [{ apiKey: [] }], ...route.schema };
    if (route.method === 'GET')
      route.schema.response = { 304: NOT_MODIFIED, ...Object(route.schema.response) };
  });
}

async function identify(
  { limits, authenticate }: AppNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeyHolder> {
  try {
    return await authenticate(request.headers.authorization);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Unauthorized')
      await countFailure(limits, request, reply);
    throw error;
  }
}
