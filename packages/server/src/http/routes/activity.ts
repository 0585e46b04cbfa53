import { activityInputSchema, activityResultSchema } from '@colophon/model';
import { z } from 'zod';
import { parseBody } from '../../body-fault.js';
import type { App, AppDeps, RecordWriteDeps } from '../app.js';
import { preferredReceipt } from '../handlers/preferred-receipt.js';
import { recordFile } from '../handlers/record-file.js';
import { FILE_RECORDING_ERRORS } from '../wire/error-schemas.js';
import { postOrWaitHeader } from '../wire/preferences.js';

const formSchema = z
  .object({
    file: z
      .string()
      .meta({ contentMediaType: 'application/octet-stream', description: 'The bytes to record' }),
    json: activityInputSchema.meta({ description: 'Who did what, as JSON text' }),
  })
  .meta({ id: 'ActivityForm' });

export function activityRoutes(app: App, deps: RecordWriteDeps & Pick<AppDeps, 'maxUploadBytes'>): void {
  app.post(
    '/v1/activity',
    {
      config: { permission: 'write', multipartBody: formSchema },
      schema: {
        operationId: 'recordActivity',
        tags: ['records'],
        summary: 'Record a file: who did what to produce these bytes',
        headers: postOrWaitHeader,
        response: {
          201: activityResultSchema.describe('Recorded'),
          200: activityResultSchema.describe('Already recorded by the same request'),
          ...FILE_RECORDING_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const answer = await recordFile(deps, { request, reply }, (json) =>
        parseBody(activityInputSchema, json),
      );
      const recorded = { kind: 'action', id: answer.actionId } as const;
      return reply.send({ ...answer, ...(await preferredReceipt(deps, { request, reply }, recorded)) });
    },
  );
}
