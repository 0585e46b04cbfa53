import { entityIdSchema, entityInputSchema, entitySchema } from '@colophon/model';
import { z } from 'zod';
import { createEntity } from '../../records/create-entity.js';
import { readEntityText } from '../../records/records.sql.js';
import type { App, AppNeeds } from '../app.js';
import { sendJsonText } from '../send-json-text.js';
import { errorsOf, readyMade } from './errors-of.js';
import { projectOf } from './holder.js';

const answerSchema = z
  .object({ id: z.string(), created: z.boolean(), entity: entitySchema })
  .meta({ id: 'EntityAnswer' });

/** `POST /v1/entity` and `GET /v1/entity/:id`. */
export function entityRoutes(app: App, { records }: AppNeeds): void {
  app.post(
    '/v1/entity',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'createEntity',
        tags: ['records'],
        summary: 'Create an entity, or retrieve it when it exists with the same values',
        body: entityInputSchema,
        response: {
          201: answerSchema.describe('Created'),
          200: answerSchema.describe('It existed'),
          ...errorsOf('InvalidField', 'ValidationError', 'Conflict', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    async (request, reply) => {
      const answer = await createEntity(records, projectOf(request), request.body);
      return reply.code(answer.created ? 201 : 200).send(answer);
    },
  );

  app.get(
    '/v1/entity/:id',
    {
      schema: {
        operationId: 'getEntity',
        tags: ['records'],
        summary: 'Get an entity',
        params: z.object({ id: entityIdSchema }),
        response: readyMade({ 200: entitySchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const text = await readEntityText(records.provenance, projectOf(request), id);
      return sendJsonText(reply, text, `There is no entity ${id} in this project.`);
    },
  );
}
