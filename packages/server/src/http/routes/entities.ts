import {
  entityIdSchema,
  entityInputSchema,
  entityPatchSchema,
  entityRoleSchema,
  entitySchema,
  receiptSchema,
} from '@colophon/model';
import { z } from 'zod';
import { absent } from '../../records/read/absent.js';
import { answerList } from '../../records/read/list-records.js';
import { readEntity } from '../../records/read/records.sql.js';
import { createEntity } from '../../records/write/create-entity.js';
import { updateEntity } from '../../records/write/update-entity.js';
import type { App, AppDeps, RecordReadDeps } from '../app.js';
import { idempotently } from '../handlers/idempotency.js';
import { linkReceipt, preferredReceipt } from '../handlers/preferred-receipt.js';
import { recordDepsFor } from '../handlers/record-deps-for.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, JSON_WRITE_ERRORS, readyMade } from '../wire/error-schemas.js';
import { listAnswer, listQuery } from '../wire/list-query.js';
import { postHeader, preferHeader } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';
import { sendAnswer } from '../wire/send-answer.js';

const answerSchema = z
  .object({
    id: z.string(),
    created: z.boolean(),
    entity: entitySchema,
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'EntityAnswer' });
const changedSchema = entitySchema
  .extend({ receipt: receiptSchema.optional() })
  .meta({ id: 'ChangedEntity' });
const params = z.object({ id: entityIdSchema });

export function entityRoutes(app: App, deps: RecordReadDeps & Pick<AppDeps, 'running'>): void {
  createOne(app, deps);
  getOne(app, deps);
  updateOne(app, deps);
  list(app, deps);
}

function createOne(app: App, deps: RecordReadDeps & Pick<AppDeps, 'running'>): void {
  app.post(
    '/v1/entity',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'createEntity',
        tags: ['records'],
        summary: 'Create an entity, or retrieve it when it exists with the same values',
        headers: postHeader,
        body: entityInputSchema,
        response: {
          201: answerSchema.describe('Created'),
          200: answerSchema.describe('The entity already existed'),
          ...errorsOf('InvalidField', 'ValidationError', 'Conflict', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    (request, reply) =>
      idempotently({ deps, request, asked: request.body, signal: signalOfCaller(reply) }, async (keyed) => {
        const answer = await createEntity(keyed, projectOf(request), request.body);
        linkReceipt(reply, 'entity', answer.id);
        const receipt = await preferredReceipt(deps, { request, reply }, { kind: 'entity', id: answer.id });
        return reply.code(answer.created ? 201 : 200).send({ ...answer, ...receipt });
      }),
  );
}

function getOne(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/entity/:id',
    {
      schema: {
        operationId: 'getEntity',
        tags: ['records'],
        summary: 'Get an entity',
        params,
        response: readyMade({ 200: entitySchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const projectId = projectOf(request);
      const read = () => readEntity(records.reads, projectId, id);
      const answer = await records.answers.answer(projectId, `entity ${id}`, read);
      return sendAnswer(reply, answer, () => absent('entity', id));
    },
  );
}

function updateOne(app: App, deps: RecordReadDeps): void {
  app.patch(
    '/v1/entity/:id',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'updateEntity',
        tags: ['records'],
        summary: 'Change the name and metadata of an entity; set its wallet and public key, once each',
        params,
        headers: preferHeader,
        body: entityPatchSchema,
        response: {
          200: changedSchema,
          ...JSON_WRITE_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const options = { id, patch: request.body };
      const records = recordDepsFor(deps, request, signalOfCaller(reply));
      const entity = await updateEntity(records, projectOf(request), options);
      const receipt = await preferredReceipt(deps, { request, reply }, { kind: 'entity', id });
      return linkReceipt(reply, 'entity', id).send({ ...entity, ...receipt });
    },
  );
}

function list(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/entities',
    {
      schema: {
        operationId: 'listEntities',
        tags: ['records'],
        summary: 'List entities, newest first',
        querystring: listQuery({
          role: entityRoleSchema.optional(),
          name: entityInputSchema.shape.name.meta({ description: 'The whole name, exactly as recorded' }),
        }),
        response: readyMade({ 200: listAnswer('entities', entitySchema), ...errorsOf('InvalidField') }),
      },
    },
    async (request, reply) => {
      const { role, name, ...page } = request.query;
      const options = {
        name: 'entities',
        page: { ...page, filters: { role, name } },
        signal: signalOfCaller(reply),
      } as const;
      return sendAnswer(reply, await answerList(records, projectOf(request), options));
    },
  );
}
