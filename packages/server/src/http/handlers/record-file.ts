import type { ActivityInput, ActivityResult } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordDeps } from '../../records/deps.js';
import { stageBytes, stageUpload } from '../../records/draft/stage-upload.js';
import { recordActivity } from '../../records/write/record-activity.js';
import type { Recorder } from '../../records/write/recorder.js';
import type { RecordRouteDeps } from '../app.js';
import { noteRecorded } from '../middleware/meter-usage.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { projectOf } from '../wire/principal-of.js';
import { readUpload } from '../wire/read-upload.js';
import { sentNames } from '../wire/sent-names.js';
import { recordInTurn } from './check-contents.js';
import { idempotently } from './idempotency.js';
import { linkReceipt } from './preferred-receipt.js';
import { waitForAnchor } from './wait-for-anchor.js';

/** Records the file of a form, and sets the status of the response. `parse` parses the `json` part. */
export async function recordFile(
  deps: RecordRouteDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
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
    const asked = { ...input, contentDigest: staged.digests.contentDigest };
    return await idempotently({ deps, request, asked }, async (keyed) => {
      const signal = signalOfCaller(reply);
      // The uploaded content is an output too.
      const action = { ...input.action, outputCids: [staged.digests.cid] };
      const recorder = takeTurns(keyed, action, signal);
      const sentInputs = sentNames(Object(json).action, 'inputCids');
      const activity = { input, upload: staged, fileName, sentInputs, signal };
      const { replayed, isNew, ...answer } = await recordActivity(
        { ...keyed, recorder },
        projectId,
        activity,
      );
      const { resourceType, size: bytesStored } = answer;
      if (isNew) noteRecorded(request, { resourceType, bytesStored, actionsRecorded: 1 });
      linkReceipt(reply, 'action', answer.actionId).code(replayed ? 200 : 201);
      return { ...answer, ...(await waitForAnchor(deps, { request, reply }, answer.actionId)) };
    });
  } finally {
    await discard();
  }
}

/**
 * Returns the recorder with calls that wait in the queue of batches if the action has many content identifiers. The
 * search for similar content waits in another queue, so it runs between these calls, outside of a slot. Before the
 * second call, the bytes are in the store already. So the recording does not end when the client disconnects, and begins
 * without a slot when the queue refuses it.
 */
function takeTurns({ recorder, scheduler }: RecordDeps, action: unknown, signal: AbortSignal): Recorder {
  return {
    ...recorder,
    check: (projectId, item) =>
      recordInTurn(scheduler, { projectId, action, signal }, () => recorder.check(projectId, item)),
    async record(projectId, item) {
      const begun = { value: false };
      const record = () => {
        begun.value = true;
        return recorder.record(projectId, item);
      };
      try {
        return await recordInTurn(scheduler, { projectId, action }, record);
      } catch (error) {
        if (begun.value) throw error;
        return record();
      }
    },
  };
}
