import { activityInputSchema, activityResultSchema } from '@colophon/model';
import { z } from 'zod';
import { recordActivity } from '../../records/record-activity.js';
import type { App, AppNeeds } from '../app.js';
import { readUpload } from '../read-upload.js';
import { bodyFault } from '../validate-request.js';
import { errorsOf } from './errors-of.js';
import { projectOf } from './holder.js';

const formSchema = z
  .object({
    file: z
      .string()
      .meta({ contentMediaType: 'application/octet-stream', description: 'The bytes to record' }),
    json: activityInputSchema.meta({ description: 'Who did what, as JSON text' }),
  })
  .meta({ id: 'ActivityForm' });

/** `POST /v1/activity`: records a file. */
export function activityRoutes(app: App, { records, maxUploadBytes }: AppNeeds): void {
  app.post(
    '/v1/activity',
    {
      config: { permission: 'write', multipartBody: formSchema },
      schema: {
        operationId: 'recordActivity',
        tags: ['records'],
        summary: 'Record a file: who did what to produce these bytes',
        response: {
          201: activityResultSchema.describe('Recorded'),
          200: activityResultSchema.describe('Recorded before by the same request'),
          ...errorsOf('MissingField', 'ValidationError', 'Duplicate', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    async (request, reply) => {
      const projectId = projectOf(request);
      const { staged, json } = await readUpload(request, { blobs: records.blobs, projectId, maxUploadBytes });
      const parsed = activityInputSchema.safeParse(json);
      if (!parsed.success) {
        await staged.writer.discard();
        throw bodyFault(parsed.error);
      }
      const { replayed, ...answer } = await recordActivity(records, projectId, {
        input: parsed.data,
        upload: staged,
      });
      return reply.code(replayed ? 200 : 201).send(answer);
    },
  );
}
