import { actionInputSchema, actionSchema } from '@colophon/model';
import { z } from 'zod';
import { recordAction } from '../../records/record-action.js';
import { readActionText } from '../../records/records.sql.js';
import type { App, AppNeeds } from '../app.js';
import { sendJsonText } from '../send-json-text.js';
import { errorsOf, readyMade } from './errors-of.js';
import { projectOf } from './holder.js';

const answerSchema = z.object({ actionId: z.string(), action: actionSchema }).meta({ id: 'ActionAnswer' });

/** `POST /v1/action` and `GET /v1/action/:id`. */
export function actionRoutes(app: App, { records }: AppNeeds): void {
  app.post(
    '/v1/action',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'recordAction',
        tags: ['records'],
        summary: 'Record an action on content that is not uploaded with it',
        body: actionInputSchema,
        response: {
          201: answerSchema.describe('Recorded'),
          200: answerSchema.describe('Recorded before by the same request'),
          ...errorsOf(
            'InvalidField',
            'ValidationError',
            'NotFound',
            'Conflict',
            'Unsupported',
            'PayloadTooLarge',
          ),
        },
      },
    },
    async (request, reply) => {
      const { action, replayed } = await recordAction(records, projectOf(request), request.body);
      return reply.code(replayed ? 200 : 201).send({ actionId: action.id, action });
    },
  );

  app.get(
    '/v1/action/:id',
    {
      schema: {
        operationId: 'getAction',
        tags: ['records'],
        summary: 'Get an action',
        params: z.object({ id: z.uuid().meta({ description: 'Action id' }) }),
        response: readyMade({ 200: actionSchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const text = await readActionText(records.provenance, projectOf(request), id);
      return sendJsonText(reply, text, `There is no action ${id} in this project.`);
    },
  );
}
