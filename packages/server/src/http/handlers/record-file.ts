import type { ActivityInput, ActivityResult } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withoutAbsent } from '../../records/draft/draft-records.js';
import { stageBytes, stageUpload } from '../../records/draft/stage-upload.js';
import { recordActivity } from '../../records/write/record-activity.js';
import type { AppDeps, RecordWriteDeps } from '../app.js';
import { noteRecorded } from '../middleware/meter-usage.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { sentNames } from '../wire/json-body.js';
import { projectOf } from '../wire/principal-of.js';
import { readUpload } from '../wire/read-upload.js';
import { idempotently } from './idempotency.js';
import { linkReceipt } from './preferred-receipt.js';
import { waitForAnchor } from './wait-for-anchor.js';

/** `parse` parses the `json` part. `ignoresName`: the name of the file does not become the default title. */
export async function recordFile(
  deps: RecordWriteDeps & Pick<AppDeps, 'maxUploadBytes'>,
  {
    request,
    reply,
    ignoresName = false,
  }: { request: FastifyRequest; reply: FastifyReply; ignoresName?: boolean },
  parse: (json: unknown) => ActivityInput,
): Promise<ActivityResult> {
  const projectId = projectOf(request);
  const { blobs, createHasher } = deps.records;
  const {
    file: staged,
    fileName,
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
    const asked = { ...withoutAbsent(input, ['title']), contentDigest: staged.digests.contentDigest };
    return await idempotently({ deps, request, asked }, async (keyed) => {
      const signal = signalOfCaller(reply);
      const sentInputs = sentNames(Object(json).action, 'inputCids');
      const named = ignoresName ? {} : { fileName };
      const activity = { input, upload: staged, ...named, sentInputs, request: asked, signal };
      const { replayed, isNew, ...answer } = await recordActivity(keyed, projectId, activity);
      const { resourceType, size: bytesStored } = answer;
      if (isNew) noteRecorded(request, { resourceType, bytesStored, actionsRecorded: 1 });
      linkReceipt(reply, 'action', answer.actionId).code(replayed ? 200 : 201);
      return { ...answer, ...(await waitForAnchor(deps, { request, reply }, answer.actionId)) };
    });
  } finally {
    await discard();
  }
}
