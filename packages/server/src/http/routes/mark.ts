import { markInputSchema, markSchema } from '@colophon/model';
import { z } from 'zod';
import type { App, AppDeps, RecordWriteDeps } from '../app.js';
import { markUpload } from '../handlers/mark-upload.js';
import { errorsOf } from '../wire/error-schemas.js';
import { postOrWaitHeader } from '../wire/preferences.js';

const markForm = z
  .object({
    file: z
      .string()
      .meta({ contentMediaType: 'application/octet-stream', description: 'The content to mark' }),
    json: markInputSchema.meta({ description: 'The claims to sign and record, as JSON text' }),
  })
  .meta({ id: 'MarkForm' });

export function markRoutes(app: App, deps: RecordWriteDeps & Pick<AppDeps, 'credentials'>): void {
  app.post(
    '/v1/mark',
    {
      config: { permission: 'write', multipartBody: markForm },
      schema: {
        operationId: 'markContent',
        tags: ['media'],
        summary:
          'Mark a content on every layer that its format supports, and record the marked copy; the response lists the layers',
        headers: postOrWaitHeader,
        response: {
          201: markSchema.describe('Marked and recorded'),
          200: markSchema.describe('Already marked and recorded by the same request'),
          ...errorsOf(
            'MissingField',
            'ValidationError',
            'NotFound',
            'Conflict',
            'Duplicate',
            'PayloadTooLarge',
            'Unsupported',
          ),
        },
      },
    },
    async (request, reply) => reply.send(await markUpload(deps, { request, reply })),
  );
}
