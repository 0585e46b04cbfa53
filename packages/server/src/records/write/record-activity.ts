import type { ActivityInput, ActivityResult, JsonObject } from '@colophon/model';
import { toResourceType } from '../../media/sniff-media-type.js';
import { uuidv7 } from '../../platform/uuid-v7.js';
import { canBeDescribed } from '../../search/descriptor.js';
import type { RecordDeps } from '../deps.js';
import {
  type AssertedExtensions,
  draftAction,
  draftAttribution,
  draftEntity,
} from '../draft/draft-records.js';
import { draftTitle } from '../draft/draft-title.js';
import type { RecordItem } from '../draft/record-item.js';
import type { StagedUpload } from '../draft/stage-upload.js';
import { requireEntityId } from '../read/resolve-entity.js';
import { beginMatching } from './match-upload.js';
import { isNameConflict, nameDifference, withoutNames } from './name-difference.js';
import { duplicate, isNew, type Outcome, type Replayed, requireWritten, type Written } from './outcome.js';
import { prepareUploadJobs } from './prepare-upload-jobs.js';
import { applyProofDecision, proveAction, proveNewEntity } from './prove.js';
import { performerRole } from './record-action.js';
import { requirePayable } from './require-payable.js';

export interface Activity {
  input: ActivityInput;
  upload: StagedUpload;
  /** Name on the sender's device. If `input` has no `title`, it is the title of the content. */
  fileName?: string | undefined;
  sentInputs: readonly string[];
  actionId?: string;
  /** Identifies a repeated request. Contains the title only if a signature covers it; any other title may differ. */
  request: JsonObject;
  /** Derived from the bytes, by key. */
  found?: Record<string, JsonObject>;
  /** SHA-256 (hex) of the algorithm and value of each soft binding in the manifest. */
  softBindings?: string[] | undefined;
  /** True when the request contained the bytes of the inputs, so the inputs need not be recorded. */
  inputsWereSeen?: boolean;
  /** Aborts when the caller no longer waits for the response. */
  signal: AbortSignal | undefined;
}

type RecordedActivity = ActivityResult & { replayed: boolean; isNew: boolean };

/**
 * Throws `Duplicate` when the project has recorded the same bytes. A repeated request gets the first response, even if
 * the performer's key has changed since then. The caller must discard the upload afterwards.
 */
export async function recordActivity(
  deps: RecordDeps,
  projectId: string,
  activity: Activity,
): Promise<RecordedActivity> {
  const { upload, signal } = activity;
  const start = {
    id: activity.input.action.id ?? activity.actionId ?? uuidv7(),
    entityId: await requireEntityId(deps, projectId, activity.input.entity),
    at: new Date(),
  };
  const { entity, action } = activity.input;
  const alsoPayable = entity.wallet === undefined ? [] : [start.entityId];
  const paid = [{ extensions: action.extensions, place: 'action.' }];
  await requirePayable(deps.provenance, projectId, { paid, alsoPayable });
  const started = { ...activity, ...start };
  const { policy } = deps.proofs;
  const unproven = draftItem(started, { identity: {}, asserted: {} });
  const inputsMatter = activity.inputsWereSeen !== true;
  // The search runs concurrently with the checks if the bytes are in memory.
  const matching = upload.bytes && beginMatching(deps, projectId, upload);
  const named = { ...unproven, inputsMustBeKnown: inputsMatter && policy !== 'off' };
  const mayDiffer = activity.input.ifNameDiffers !== 'refuse';
  const strict = await deps.recorder.check(projectId, named, { signal });
  const differs = mayDiffer && isNameConflict(strict);
  const refusal = differs ? await deps.recorder.check(projectId, withoutNames(named), { signal }) : strict;
  const outcome = applyProofDecision(deps, refusal, { entityId: start.entityId, actionId: start.id });
  if (outcome !== undefined) {
    const restored = await restoreIfLost(deps, { projectId, upload }, outcome);
    if (outcome.outcome !== 'duplicate')
      return { ...toResult(outcome, unproven), ...(await nameDifference(deps, projectId, started)) };
    const { matches, matchesComplete } = await (matching ?? beginMatching(deps, projectId, upload)).wait();
    throw duplicate(outcome, { restored, matches, matchesComplete, entityId: start.entityId });
  }
  const drafted = policy === 'off' ? unproven : draftItem(started, await prove(deps, projectId, started));
  const written = mayDiffer ? withoutNames(drafted) : drafted;
  const { softBindings } = activity;
  const item = {
    ...written,
    ...(softBindings && { softBindings }),
    inputsMustBeKnown: inputsMatter && policy === 'enforce',
  };
  await upload.commit();
  const effects = await prepareUploadJobs(deps, projectId, {
    upload,
    described: item.upload,
    matching,
    signal,
  });
  // The bytes are stored already, so the recording continues without its caller, and even if the queue is full.
  const recorded = await deps.recorder.record(projectId, { ...item, ...effects }, { mustBegin: true });
  const result = toResult(recorded, item);
  return differs ? { ...result, ...(await nameDifference(deps, projectId, started)) } : result;
}

type ActivityItem = RecordItem & Required<Pick<RecordItem, 'action' | 'upload'>>;

interface StartedActivity extends Activity {
  id: string;
  entityId: string;
  at: Date;
}

interface Proven {
  identity: AssertedExtensions;
  asserted: AssertedExtensions;
}

async function prove(
  deps: RecordDeps,
  projectId: string,
  { input, sentInputs, upload, id, entityId, at }: StartedActivity,
): Promise<Proven> {
  const { publicKey, registrationSignature } = input.entity;
  const outputCids = [upload.digests.cid];
  return {
    identity: await proveNewEntity(deps, projectId, { entityId, publicKey, registrationSignature, at }),
    asserted: await proveAction(deps, projectId, {
      id,
      at,
      action: { ...input.action, performedBy: entityId, outputCids },
      asSent: { inputs: sentInputs, outputs: outputCids },
      givenKey: publicKey,
      outputsSeen: true,
    }),
  };
}

function draftItem(
  { input, upload: { digests, mimeType }, request, id, entityId, at, ...more }: StartedActivity,
  { identity, asserted }: Proven,
): ActivityItem {
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
  return {
    entities: [draftEntity(input.entity, { id: entityId, at, asserted: identity })],
    action: draftAction(action, { id, idIsGiven: input.action.id !== undefined, at, request, asserted }),
    upload: {
      ...digests,
      contentDigest: digests.contentDigest.slice('sha256:'.length),
      mimeType,
      type,
      typeIsStated: input.resourceType !== undefined,
      ...draftTitle({ title: input.title, fileName: more.fileName }),
      ...(more.found === undefined ? {} : { extensions: more.found }),
    },
    attributions: [draftAttribution({ id: uuidv7(), ...target }, input.attribution ?? {}, at)],
  };
}

/** Stores the lost bytes of recorded content again. Returns whether it stored them. */
async function restoreIfLost(
  { blobs, copies }: RecordDeps,
  { projectId, upload }: { projectId: string; upload: StagedUpload },
  outcome: Outcome,
): Promise<boolean> {
  if (outcome.outcome !== 'duplicate' && outcome.outcome !== 'replayed') return false;
  // The service signed the file again, so its bytes differ from the recorded ones.
  if (outcome.outcome === 'replayed' && !outcome.action.outputCids.includes(upload.digests.cid)) return false;
  const { contentDigest, cid } = upload.digests;
  const ref = { projectId, contentDigest };
  if ((await blobs.readSize(ref)) !== undefined) return false;
  await upload.commit();
  await copies.release(ref, cid);
  return true;
}

function toResult(outcome: Outcome, { upload }: ActivityItem): RecordedActivity {
  const written = requireWritten(outcome);
  const { action, resources } = written;
  const resource = resources.find(({ cid }) => cid === upload.cid) ?? resources[0];
  if (action === null || resource === undefined)
    throw new Error('The database recorded a file and returned no result for it');
  return {
    cid: resource.cid,
    actionId: action.id,
    entityId: action.performedBy,
    resourceType: resource.type,
    mimeType: resource.mimeType ?? upload.mimeType,
    size: resource.size ?? upload.sizeBytes,
    state: resource.state,
    matches: written.outcome === 'recorded' ? (written.matches ?? []) : [],
    ...matchesCompleteOf(written, upload),
    ...(action.onchain === undefined ? {} : { onchain: action.onchain }),
    replayed: written.outcome === 'replayed',
    isNew: isNew(written),
  };
}

/** A replay returns no matches. This is complete only if content of this type and size cannot have matches. */
function matchesCompleteOf(
  written: Written | Replayed,
  upload: ActivityItem['upload'],
): Pick<ActivityResult, 'matchesComplete'> {
  const matchesComplete =
    written.outcome === 'recorded'
      ? written.matchesComplete
      : !canBeDescribed(upload.mimeType, upload.sizeBytes);
  return matchesComplete === undefined ? {} : { matchesComplete };
}
