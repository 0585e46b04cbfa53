import { z } from 'zod';
import type { App, AppDeps, RecordWriteDeps } from '../app.js';
import { recordFile } from '../handlers/record-file.js';
import { FILE_RECORDING_ERRORS } from '../wire/error-schemas.js';
import { provenanceKitActivityRequest, toActivityInput } from './request-schemas.js';

const formSchema = z
  .object({
    file: z
      .string()
      .meta({ contentMediaType: 'application/octet-stream', description: 'The bytes to record' }),
    json: provenanceKitActivityRequest,
  })
  .meta({ id: 'PublishedActivityForm' });

const answerSchema = z
  .looseObject({
    cid: z.string(),
    actionId: z.string(),
    entityId: z.string(),
    resourceType: z.string(),
    encrypted: z.literal(false),
  })
  .meta({ id: 'PublishedActivityResult' });

export function activityRoutes(app: App, deps: RecordWriteDeps & Pick<AppDeps, 'maxUploadBytes'>): void {
  app.post(
    '/activity',
    {
      config: { permission: 'write', multipartBody: formSchema },
      schema: {
        operationId: 'compatRecordActivity',
        summary: 'Record a file: who did what to produce these bytes',
        response: {
          201: answerSchema,
          ...FILE_RECORDING_ERRORS,
        },
      },
    },
    async (request, reply) => {
      // The file name becomes no title, because clients of this API cannot prevent it.
      const answer = await recordFile(deps, { request, reply, ignoresName: true }, toActivityInput);
      return reply.send({ ...answer, encrypted: false as const });
    },
  );
}
