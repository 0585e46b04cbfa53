import type { ActivityInput, ActivityResult } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import type { BlobStore } from '../blobs/blob-store.js';
import { toResourceType } from '../media/sniff-media-type.js';
import { draftAction, draftAttribution, draftEntity, withoutAbsent } from './draft-records.js';
import type { RecordNeeds } from './needs.js';
import { duplicate, isNew, type Outcome, requireWritten } from './outcome.js';
import { performerRole } from './performer-role.js';
import { proveAction, proveNewEntity } from './prove.js';
import type { RecordItem } from './recorder.js';
import type { StagedUpload } from './stage-upload.js';

/** A file that is to be recorded: who did what, and the bytes. */
export interface Activity {
  input: ActivityInput;
  upload: StagedUpload;
  /** The input CIDs as the caller wrote them. */
  sentInputs: readonly string[];
}

/** The answer; `isNew` unless it tells of what was recorded before. */
type RecordedActivity = ActivityResult & { replayed: boolean; isNew: boolean };

/**
 * Records a file: its bytes are stored, then entity, action, resource and attribution in one transaction.
 * `Duplicate` when this project has recorded the same bytes. The caller discards the upload afterwards.
 */
export async function recordActivity(
  needs: RecordNeeds,
  projectId: string,
  activity: Activity,
): Promise<RecordedActivity> {
  const { upload } = activity;
  const item = await draftItem(needs, projectId, activity);
  const refusal = await needs.recorder.check(projectId, item);
  if (refusal !== undefined) {
    return toResult(await restoreIfLost(needs.blobs, { projectId, upload }, refusal), item);
  }
  await upload.writer.commit(upload.digests.contentDigest);
  return toResult(await needs.recorder.record(projectId, item), item);
}

type ActivityItem = RecordItem & Required<Pick<RecordItem, 'action' | 'upload'>>;

async function draftItem(
  needs: RecordNeeds,
  projectId: string,
  { input, sentInputs, upload: { digests, mimeType } }: Activity,
): Promise<ActivityItem> {
  const at = new Date();
  const id = input.action.id ?? uuidv7();
  const entityId = await needs.identifyEntity(projectId, input.entity);
  const type = input.resourceType ?? toResourceType(mimeType);
  const { sessionId } = input;
  const action = {
    ...input.action,
    ...(sessionId === undefined ? {} : { sessionId }),
    performedBy: entityId,
    outputCids: [digests.cid],
    resourceType: type,
  };
  const target = { entityId, actionId: id, resourceCid: digests.cid, role: performerRole(action.type) };
  const request = { ...withoutAbsent(input), contentDigest: digests.contentDigest };
  const { publicKey, registrationSignature } = input.entity;
  const registration = { entityId, publicKey, registrationSignature, at };
  const identity = await proveNewEntity(needs, projectId, registration);
  const asserted = await proveAction(needs, projectId, {
    id,
    at,
    action,
    asSent: { inputs: sentInputs, outputs: [digests.cid] },
    givenKey: publicKey,
    outputsWitnessed: true,
  });
  return {
    entities: [draftEntity(input.entity, { id: entityId, at, asserted: identity })],
    action: draftAction(action, { id, idIsGiven: input.action.id !== undefined, at, request, asserted }),
    inputsMustBeKnown: needs.proofs.policy === 'enforce',
    upload: {
      ...digests,
      contentDigest: digests.contentDigest.slice('sha256:'.length),
      mimeType,
      type,
      typeIsStated: input.resourceType !== undefined,
    },
    attributions: [draftAttribution({ id: uuidv7(), ...target }, input.attribution ?? {}, at)],
  };
}

/** Recorded content whose bytes were lost gets them back from the upload; the answer is the same otherwise. */
async function restoreIfLost(
  blobs: BlobStore,
  { projectId, upload }: { projectId: string; upload: StagedUpload },
  outcome: Outcome,
): Promise<Outcome> {
  if (outcome.outcome !== 'duplicate' && outcome.outcome !== 'replayed') return outcome;
  const { contentDigest } = upload.digests;
  if ((await blobs.readSize({ projectId, contentDigest })) !== undefined) return outcome;
  await upload.writer.commit(contentDigest);
  if (outcome.outcome === 'duplicate') throw duplicate(outcome, true);
  return outcome;
}

function toResult(outcome: Outcome, { upload }: ActivityItem): RecordedActivity {
  const written = requireWritten(outcome);
  const { action, resources } = written;
  const resource = resources.find(({ cid }) => cid === upload.cid);
  if (action === null || resource === undefined) throw new Error('A file was recorded without an answer');
  return {
    cid: resource.cid,
    actionId: action.id,
    entityId: action.performedBy,
    resourceType: resource.type,
    mimeType: resource.mimeType ?? upload.mimeType,
    size: upload.sizeBytes,
    state: resource.state,
    matches: [],
    replayed: written.outcome === 'replayed',
    isNew: isNew(written),
  };
}
