import {
  apiKeyDetailsSchema,
  apiKeyInputSchema,
  apiKeySchema,
  createdApiKeySchema,
  keyVerdictSchema,
  rotationInputSchema,
} from '@colophon/model';
import { z } from 'zod';
import { listProjectKeys, revokeProjectKey, rotateProjectKey } from '../../../management/change-api-keys.js';
import { createApiKey } from '../../../management/create-api-key.js';
import { validateKey } from '../../../management/validate-key.js';
import type { App, AppDeps, ControlRouteDeps } from '../../app.js';
import { checkIdempotencyKey, refuseIdempotencyKey } from '../../handlers/idempotency.js';
import { errorsOf } from '../../wire/error-schemas.js';
import { idParams } from './params.js';
import { actorOf, CHANGE_ERRORS, changeOptions, MAKE_ERRORS, PATH_ERRORS, sendSecret } from './terms.js';

export function apiKeyRoutes(app: App, deps: ControlRouteDeps): void {
  list(app, deps, { url: '/management/api-keys/:id', operationId: 'listApiKeys' });
  list(app, deps, { url: '/management/projects/:id/api-keys', operationId: 'listApiKeysOfProject' });
  createOne(app, deps);
  createInProject(app, deps);
  revokeOne(app, deps);
  rotateOne(app, deps);
  validate(app, deps);
}

function list(
  app: App,
  { management }: Pick<AppDeps, 'management'>,
  { url, operationId }: { url: string; operationId: string },
): void {
  app.get(
    url,
    {
      schema: {
        operationId,
        summary: 'List the keys of the project with this id, newest first; requires the role developer',
        params: idParams,
        response: { 200: z.array(apiKeySchema), ...PATH_ERRORS },
      },
    },
    (request) => listProjectKeys(management.deps, actorOf(request), request.params.id),
  );
}

function createOne(app: App, deps: ControlRouteDeps): void {
  app.post(
    '/management/api-keys',
    {
      schema: {
        operationId: 'createApiKey',
        summary: 'Create a key, shown once; requires the role developer, or admin for an `admin` key',
        body: apiKeyInputSchema,
        response: { 201: createdApiKeySchema, ...MAKE_ERRORS },
      },
    },
    async (request, reply) => {
      refuseIdempotencyKey(request);
      const { projectId, ...details } = request.body;
      return sendSecret(reply, await createApiKey(changeOptions(deps, request), projectId, details));
    },
  );
}

function createInProject(app: App, deps: ControlRouteDeps): void {
  app.post(
    '/management/projects/:id/api-keys',
    {
      schema: {
        operationId: 'createApiKeyInProject',
        summary:
          'Create a key of this project, shown once; requires the role developer, or admin for an `admin` key',
        params: idParams,
        body: apiKeyDetailsSchema,
        response: { 201: createdApiKeySchema, ...MAKE_ERRORS },
      },
    },
    async (request, reply) => {
      refuseIdempotencyKey(request);
      const options = changeOptions(deps, request);
      return sendSecret(reply, await createApiKey(options, request.params.id, request.body));
    },
  );
}

function revokeOne(app: App, deps: ControlRouteDeps): void {
  app.delete(
    '/management/api-keys/:id',
    {
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke a key; requires the role developer',
        params: idParams,
        response: {
          200: z.object({ revoked: z.literal(true) }),
          ...errorsOf('MissingField', 'NotFound', 'Conflict'),
        },
      },
    },
    (request) => revokeProjectKey(changeOptions(deps, request), request.params.id),
  );
}

function rotateOne(app: App, deps: ControlRouteDeps): void {
  app.post(
    '/management/api-keys/:id/rotate',
    {
      schema: {
        operationId: 'rotateApiKey',
        summary:
          'Create a new key with the same settings; the old key stays valid for a limited time; requires the role developer, or admin for an `admin` key',
        params: idParams,
        body: rotationInputSchema,
        response: { 201: createdApiKeySchema, ...CHANGE_ERRORS },
      },
    },
    async (request, reply) => {
      refuseIdempotencyKey(request);
      const { overlapHours } = request.body;
      const made = await rotateProjectKey(changeOptions(deps, request), request.params.id, overlapHours);
      return sendSecret(reply, made);
    },
  );
}

function validate(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.post(
    '/management/auth/validate-key',
    {
      schema: {
        operationId: 'validateKey',
        summary: 'Verify a project key, and get its project and permissions',
        body: z.strictObject({ key: z.string().min(1).max(256) }).meta({ id: 'KeyQuestion' }),
        response: {
          200: keyVerdictSchema,
          ...errorsOf('MissingField', 'ValidationError', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    async (request) => {
      checkIdempotencyKey(request);
      return validateKey(management.deps, request.body.key);
    },
  );
}
