import {
  rotationInputSchema,
  webhookDeliverySchema,
  webhookInputSchema,
  webhookPatchSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from '@colophon/model';
import { z } from 'zod';
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  pingWebhook,
  rotateWebhook,
  updateWebhook,
  type WebhookRef,
} from '../../../management/change-webhooks.js';
import type { App, AppDeps, ControlRouteDeps } from '../../app.js';
import { refuseIdempotencyKey } from '../../handlers/idempotency.js';
import { errorsOf } from '../../wire/error-schemas.js';
import { idParams, webhookParams } from './params.js';
import {
  actorOf,
  CHANGE_ERRORS,
  changeOptions,
  keyedChange,
  MAKE_ERRORS,
  PATH_ERRORS,
  sendSecret,
} from './terms.js';

const ALL = '/management/projects/:id/webhooks';
const ONE = `${ALL}/:webhookId`;

export function webhookRoutes(app: App, deps: ControlRouteDeps): void {
  list(app, deps);
  createOne(app, deps);
  updateOne(app, deps);
  rotateOne(app, deps);
  pingOne(app, deps);
  deliveries(app, deps);
  deleteOne(app, deps);
}

const refOf = ({ id, webhookId }: { id: string; webhookId: string }): WebhookRef => ({
  projectId: id,
  webhookId,
});

function list(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    ALL,
    {
      schema: {
        operationId: 'listWebhooks',
        summary: 'List the webhooks of a project, oldest first; requires the role developer',
        params: idParams,
        response: { 200: z.array(webhookSchema), ...PATH_ERRORS },
      },
    },
    (request) => listWebhooks(management.deps, actorOf(request), request.params.id),
  );
}

function createOne(app: App, deps: ControlRouteDeps): void {
  app.post(
    ALL,
    {
      schema: {
        operationId: 'createWebhook',
        summary:
          'Create a webhook for the events of a project; its secret is shown once; requires the role developer',
        params: idParams,
        body: webhookInputSchema,
        response: { 201: webhookWithSecretSchema, ...CHANGE_ERRORS },
      },
    },
    async (request, reply) => {
      refuseIdempotencyKey(request);
      return sendSecret(
        reply,
        await createWebhook(changeOptions(deps, request), request.params.id, request.body),
      );
    },
  );
}

function updateOne(app: App, deps: ControlRouteDeps): void {
  app.patch(
    ONE,
    {
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change, enable or disable a webhook; requires the role developer',
        params: webhookParams,
        body: webhookPatchSchema,
        response: { 200: webhookSchema, ...MAKE_ERRORS },
      },
    },
    (request) => updateWebhook(changeOptions(deps, request), refOf(request.params), request.body),
  );
}

function rotateOne(app: App, deps: ControlRouteDeps): void {
  app.post(
    `${ONE}/rotate`,
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        summary:
          'Replace the secret of a webhook; for a limited time, requests have the signatures of the old and the new secret; requires the role developer',
        params: webhookParams,
        body: rotationInputSchema,
        response: { 201: webhookWithSecretSchema, ...MAKE_ERRORS },
      },
    },
    async (request, reply) => {
      refuseIdempotencyKey(request);
      const { overlapHours } = request.body;
      const made = await rotateWebhook(changeOptions(deps, request), refOf(request.params), overlapHours);
      return sendSecret(reply, made);
    },
  );
}

function pingOne(app: App, deps: ControlRouteDeps): void {
  app.post(
    `${ONE}/ping`,
    {
      schema: {
        operationId: 'pingWebhook',
        summary:
          'Send one event of the type `ping`; the list of deliveries shows its result; requires the role developer',
        params: webhookParams,
        body: z.strictObject({}).meta({ id: 'PingRequest' }),
        response: { 202: z.object({ messageId: z.uuid() }), ...CHANGE_ERRORS },
      },
    },
    async (request, reply) => {
      const ref = refOf(request.params);
      return reply.code(202).send(await keyedChange(deps, request, (options) => pingWebhook(options, ref)));
    },
  );
}

function deliveries(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    `${ONE}/deliveries`,
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        summary:
          'List the 100 newest deliveries of a webhook, with their results; requires the role developer',
        params: webhookParams,
        response: { 200: z.array(webhookDeliverySchema), ...PATH_ERRORS },
      },
    },
    (request) => listWebhookDeliveries(management.deps, actorOf(request), refOf(request.params)),
  );
}

function deleteOne(app: App, deps: ControlRouteDeps): void {
  app.delete(
    ONE,
    {
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook; requires the role developer',
        params: webhookParams,
        response: { 200: z.object({ deleted: z.literal(true) }), ...errorsOf('MissingField', 'NotFound') },
      },
    },
    (request) => deleteWebhook(changeOptions(deps, request), refOf(request.params)),
  );
}
