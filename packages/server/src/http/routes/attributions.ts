import {
  attributionInputSchema,
  attributionRoleSchema,
  attributionSchema,
  contentIdSchema,
  entityIdSchema,
  receiptSchema,
} from '@colophon/model';
import { z } from 'zod';
import { answerList } from '../../records/read/list-records.js';
import { createAttribution } from '../../records/write/create-attribution.js';
import type { App, AppDeps, RecordReadDeps } from '../app.js';
import { idempotently } from '../handlers/idempotency.js';
import { linkReceipt, preferredReceipt } from '../handlers/preferred-receipt.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, JSON_WRITE_ERRORS, readyMade } from '../wire/error-schemas.js';
import { listAnswer, listQuery } from '../wire/list-query.js';
import { postHeader } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';
import { sendAnswer } from '../wire/send-answer.js';

const answerSchema = z
  .object({
    id: z.string(),
    created: z.boolean(),
    attribution: attributionSchema,
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'AttributionAnswer' });

export function attributionRoutes(app: App, deps: RecordReadDeps & Pick<AppDeps, 'running'>): void {
  createOne(app, deps);
  list(app, deps);
}

function createOne(app: App, deps: RecordReadDeps & Pick<AppDeps, 'running'>): void {
  app.post(
    '/v1/attribution',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'createAttribution',
        tags: ['records'],
        summary: 'Record the role of an entity in an action or for a content',
        headers: postHeader,
        body: attributionInputSchema,
        response: {
          201: answerSchema.describe('Created'),
          200: answerSchema.describe(
            'An attribution with the same target, entity and role exists; the response has its record',
          ),
          ...JSON_WRITE_ERRORS,
        },
      },
    },
    (request, reply) =>
      idempotently({ deps, request, asked: request.body, signal: signalOfCaller(reply) }, async (keyed) => {
        const recorded = await createAttribution(keyed, projectOf(request), request.body);
        const { created, attribution } = recorded;
        const { id } = attribution;
        linkReceipt(reply, 'attribution', id);
        const receipt = await preferredReceipt(deps, { request, reply }, { kind: 'attribution', id });
        return reply.code(created ? 201 : 200).send({ id, created, attribution, ...receipt });
      }),
  );
}

function list(app: App, deps: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/attributions',
    {
      schema: {
        operationId: 'listAttributions',
        tags: ['records'],
        summary: 'List attributions, newest first',
        querystring: listQuery({
          actionId: z.uuid().optional(),
          entityId: entityIdSchema.optional(),
          resourceCid: contentIdSchema.optional(),
          role: attributionRoleSchema.optional(),
        }),
        response: readyMade({
          200: listAnswer('attributions', attributionSchema),
          ...errorsOf('InvalidField'),
        }),
      },
    },
    async (request, reply) => {
      const { actionId, entityId, resourceCid, role, ...page } = request.query;
      const filters = { actionId, entityId, resourceCid, role };
      const options = {
        name: 'attributions',
        page: { ...page, filters },
        signal: signalOfCaller(reply),
      } as const;
      return sendAnswer(reply, await answerList(deps.records, projectOf(request), options));
    },
  );
}
