import {
  type ActivityInput,
  type ActivityResult,
  activityInputSchema,
  activityResultSchema,
} from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseBody } from '../../body-fault.js';
import { recordActivity } from '../../records/record-activity.js';
import { stageBytes, stageUpload } from '../../records/stage-upload.js';
import type { App, AppDeps } from '../app.js';
import { callerGone } from '../caller-gone.js';
import { idempotently } from '../idempotency.js';
import { linkReceipt } from '../link-receipt.js';
import { noteRecorded } from '../meter-usage.js';
import { postOrWaitHeader } from '../preferences.js';
import { preferredReceipt } from '../preferred-receipt.js';
import { readUpload } from '../read-upload.js';
import { sentNames } from '../sent-names.js';
import { waitForAnchor } from '../wait-for-anchor.js';
import { FILE_RECORDING_ERRORS } from './errors-of.js';
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
export function activityRoutes(app: App, deps: AppDeps): void {
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
          200: activityResultSchema.describe('Recorded before by the same request'),
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

/** Records the file of a form, whose `json` part `parse` reads; sets the status of the answer that it gives. */
export async function recordFile(
  deps: AppDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  parse: (json: unknown) => ActivityInput,
): Promise<ActivityResult> {
  const projectId = projectOf(request);
  const { blobs, createHasher } = deps.records;
  const {
    file: staged,
    json,
    input,
    discard,
  } = await readUpload(request, {
    stage: (bytes, expectedBytes) => stageUpload({ blobs, projectId, createHasher, expectedBytes }, bytes),
    stageWhole: (bytes) => stageBytes({ blobs, projectId }, bytes),
    maxBytes: deps.maxUploadBytes,
    limitName: 'MAX_UPLOAD_BYTES',
    parse,
  });
  try {
    const asked = { ...input, contentDigest: staged.digests.contentDigest };
    return await idempotently({ deps, request, asked }, async (keyed) => {
      const { replayed, isNew, ...answer } = await recordActivity(keyed, projectId, {
        input,
        upload: staged,
        sentInputs: sentNames(Object(json).action, 'inputCids'),
        signal: callerGone(reply),
      });
      const { resourceType, size: bytesStored } = answer;
      if (isNew) noteRecorded(request, { resourceType, bytesStored, actionsRecorded: 1 });
      linkReceipt(reply, 'action', answer.actionId).code(replayed ? 200 : 201);
      return { ...answer, ...(await waitForAnchor(deps, { request, reply }, answer.actionId)) };
    });
  } finally {
    await discard();
  }
}
