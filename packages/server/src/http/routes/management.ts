import { userIdField } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { App, AppDeps, ControlRouteDeps } from '../app.js';
import { countFailure } from '../middleware/limit-requests.js';
import { assertJson } from '../wire/assert-json.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { tagAnswers } from '../wire/etag.js';
import { negotiate } from '../wire/negotiate.js';
import { accountRoutes } from './management/accounts.js';
import { apiKeyRoutes } from './management/api-keys.js';
import { invitationRoutes } from './management/invitations.js';
import { memberRoutes } from './management/members.js';
import { orgRoutes } from './management/orgs.js';
import { projectRoutes } from './management/projects.js';
import { userHeader } from './management/terms.js';
import { usageRoutes } from './management/usage.js';
import { webhookRoutes } from './management/webhooks.js';

export function managementRoutes(app: App, deps: ControlRouteDeps & Pick<AppDeps, 'limits'>): void {
  app.addHook('onRequest', async (request, reply) => {
    await assertSecret(deps, request, reply);
    const userId = readUserId(request);
    const isNew = await deps.management.enrolUser(userId);
    const { ip: address, id: requestId } = request;
    request.actor = { userId, address, requestId, isNew, signal: signalOfCaller(reply) };
  });
  app.addHook('preValidation', async (request) => assertJson(request));
  negotiate(app);
  tagAnswers(app);
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, cors: false };
    route.schema = {
      security: [{ managementKey: [] }],
      headers: userHeader,
      tags: ['management'],
      ...route.schema,
    };
  });
  managementTable(app, deps);
}

/** The caller is already authenticated. */
export function managementTable(app: App, deps: ControlRouteDeps): void {
  accountRoutes(app, deps);
  orgRoutes(app, deps);
  memberRoutes(app, deps);
  invitationRoutes(app, deps);
  projectRoutes(app, deps);
  apiKeyRoutes(app, deps);
  webhookRoutes(app, deps);
  usageRoutes(app, deps);
}

async function assertSecret(
  deps: Pick<AppDeps, 'management' | 'limits'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { isSecret } = deps.management;
  if (isSecret === undefined) {
    throw new ServiceError('Unavailable', 'The control plane is off: MANAGEMENT_API_KEY is not set.', {
      recovery: 'Ask the operator to set MANAGEMENT_API_KEY.',
    });
  }
  if (isSecret(request.headers.authorization)) return;
  await countFailure(deps.limits, request, reply);
  throw new ServiceError('Unauthorized', 'The management secret is absent or wrong.', {
    headers: { 'www-authenticate': 'Bearer' },
    recovery: 'Send `Authorization: Bearer <MANAGEMENT_API_KEY>`.',
  });
}

function readUserId(request: FastifyRequest): string {
  const header = request.headers['x-user-id'];
  if (header === undefined || header === '') {
    throw new ServiceError('MissingField', 'The header X-User-Id is absent.', {
      recovery: 'Send the id of the acting user in X-User-Id.',
    });
  }
  const parsed = userIdField.safeParse(header);
  if (!parsed.success) {
    throw new ServiceError('InvalidField', 'X-User-Id must have 1 to 256 visible ASCII characters.');
  }
  return parsed.data;
}
