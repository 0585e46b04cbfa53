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
import type { App, AppNeeds } from '../../app.js';
import { refuseIdempotencyKey } from '../../idempotency.js';
import { errorsOf } from '../errors-of.js';
import { idParams, webhookParams } from './params.js';
import {
  actorOf,
  CHANGE_ERRORS,
  changeTerms,
  keyedChange,
  MAKE_ERRORS,
  PATH_ERRORS,
  sendSecret,
} from './terms.js';

const ALL = '/management/projects/:id/webhooks';
const ONE = `${ALL}/:webhookId`;

/** `/management/projects/:id/webhooks`. */
export function webhookRoutes(app: App, needs: AppNeeds): void {
  list(app, needs);
  createOne(app, needs);
  updateOne(app, needs);
  rotateOne(app, needs);
  pingOne(app, needs);
  deliveries(app, needs);
  deleteOne(app, needs);
}

const refOf = ({ id, webhookId }: { id: string; webhookId: string }): WebhookRef => ({
  projectId: id,
  webhookId,
});

function list(app: App, { management }: AppNeeds): void {
  app.get(
    ALL,
    {
      schema: {
        operationId: 'listWebhooks',
        summary: 'List the addresses that are told of what happens in a project, oldest first; developers',
        params: idParams,
        response: { 200: z.array(webhookSchema), ...PATH_ERRORS },
      },
    },
    (request) => listWebhooks(management.needs, actorOf(request), request.params.id),
  );
}

function createOne(app: App, needs: AppNeeds): void {
  app.post(
    ALL,
    {
      schema: {
        operationId: 'createWebhook',
        summary: 'Have an address told of what happens in a project; its secret is shown once; developers',
        params: idParams,
        body: webhookInputSchema,
        response: { 201: webhookWithSecretSchema, ...CHANGE_ERRORS },
      },
    },
    async (request, reply) => {
      refuseIdempotencyKey(request);
      return sendSecret(
        reply,
        await createWebhook(changeTerms(needs, request), request.params.id, request.body),
      );
    },
  );
}

function updateOne(app: App, needs: AppNeeds): void {
  app.patch(
    ONE,
    {
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change what is given of a webhook, also whether it is sent to; developers',
        params: webhookParams,
        body: webhookPatchSchema,
        response: { 200: webhookSchema, ...MAKE_ERRORS },
      },
    },
    (request) => updateWebhook(changeTerms(needs, request), refOf(request.params), request.body),
  );
}

function rotateOne(app: App, needs: AppNeeds): void {
  app.post(
    `${ONE}/rotate`,
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook a new secret; messages carry both signatures for a while; developers',
        params: webhookParams,
        body: rotationInputSchema,
        response: { 201: webhookWithSecretSchema, ...MAKE_ERRORS },
      },
    },
    async (request, reply) => {
      refuseIdempotencyKey(request);
      const { overlapHours } = request.body;
      const made = await rotateWebhook(changeTerms(needs, request), refOf(request.params), overlapHours);
      return sendSecret(reply, made);
    },
  );
}

function pingOne(app: App, needs: AppNeeds): void {
  app.post(
    `${ONE}/ping`,
    {
      schema: {
        operationId: 'pingWebhook',
        summary: 'Send a message of the type `ping`, once; its deliveries tell what became of it; developers',
        params: webhookParams,
        body: z.strictObject({}).meta({ id: 'PingRequest' }),
        response: { 202: z.object({ messageId: z.uuid() }), ...CHANGE_ERRORS },
      },
    },
    async (request, reply) => {
      const ref = refOf(request.params);
      return reply.code(202).send(await keyedChange(needs, request, (terms) => pingWebhook(terms, ref)));
    },
  );
}

function deliveries(app: App, { management }: AppNeeds): void {
  app.get(
    `${ONE}/deliveries`,
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List the 100 newest messages to a webhook and what became of them; developers',
        params: webhookParams,
        response: { 200: z.array(webhookDeliverySchema), ...PATH_ERRORS },
      },
    },
    (request) => listWebhookDeliveries(management.needs, actorOf(request), refOf(request.params)),
  );
}

function deleteOne(app: App, needs: AppNeeds): void {
  app.delete(
    ONE,
    {
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook; developers',
        params: webhookParams,
        response: { 200: z.object({ deleted: z.literal(true) }), ...errorsOf('MissingField', 'NotFound') },
      },
    },
    (request) => deleteWebhook(changeTerms(needs, request), refOf(request.params)),
  );
}
