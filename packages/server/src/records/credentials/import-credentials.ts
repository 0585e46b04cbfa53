import {
  type Action,
  type ActionDraft,
  type ActionInput,
  actionSchema,
  type BundleDraft,
  type EntityInput,
  type JsonObject,
  type MediaImport,
  type Validation,
} from '@colophon/model';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import type { ManifestReading } from '../../media/manifest-reading.js';
import { toResourceType } from '../../media/sniff-media-type.js';
import { lengthOf } from '../../platform/json-text.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import type { RecordDeps } from '../deps.js';
import {
  type Draft,
  draftAction,
  draftAttribution,
  draftEntity,
  type EntityDraft,
  withoutAbsent,
} from '../draft/draft-records.js';
import type { RecordItem } from '../draft/record-item.js';
import { type StagedUpload, stageFile } from '../draft/stage-upload.js';
import { digestBinding } from '../matching/soft-binding.js';
import { readAction, readKnownActions } from '../read/records.sql.js';
import { writeJson } from '../read/write-json.js';
import { assertFewRecords, sizeOfBatch, toBatchKind, tooManySerial } from '../write/batch-kind.js';
import { requireWritten } from '../write/outcome.js';
import { prepareUploadJobs } from '../write/prepare-upload-jobs.js';
import type { CredentialDeps } from './deps.js';
import { type AwaitedMedia, describeFile } from './extract-credentials.js';
import { readCredentials } from './read-credentials.js';

interface ImportDeps {
  records: RecordDeps;
  credentials: CredentialDeps;
}

/** Maximum number of records of each kind, because an import locks the project while it writes. */
const MAX_RECORDS = { actions: 500, entities: 2_000, attributions: 2_000 };
const READ_ONLY = 'Read the file without recording with POST /v1/media/extract';

/**
 * Records a file with the actions, entities and attributions of its manifest, all or nothing. Every id derives from the
 * file, so a second import adds nothing. Ignores the CIDs that the manifest states, because anybody can sign a manifest
 * that names content of other people. For a file that this project signed, returns the recorded action.
 */
export async function importCredentials(
  deps: ImportDeps,
  projectId: string,
  { media, sessionId }: { media: AwaitedMedia; sessionId?: string | undefined },
): Promise<MediaImport> {
  const { path, mediaType, digests, signal } = media;
  const at = new Date();
  const { reading, validation } = await readCredentials(deps.credentials, projectId, {
    path,
    mediaType,
    signal,
    bundle: { fileCid: digests.cid, mimeType: mediaType, now: at.toISOString(), ignoresClaimedCids: true },
  });
  const { metadata, bundle, ...checked } = requireValid(reading, validation);
  const answer = {
    ...describeFile(media),
    contentUrl: `/v1/resource/${digests.cid}/content`,
    validation: checked.validation,
    display: checked.display,
  };
  const own = await readOwnAction(deps.records, projectId, { metadata, cid: digests.cid });
  if (own !== undefined) return { ...answer, actionIds: [own.id], entityIds: [own.performedBy] };
  assertBounded(bundle, deps.records.maxBatchRecords);
  await assertFewActions(deps.records, projectId, bundle);
  signal?.throwIfAborted();
  const softBindings = checked.softBindings.map(digestBinding);
  await recordBundle(deps.records, projectId, {
    bundle: inSession(bundle, sessionId),
    media,
    at,
    softBindings,
  });
  return {
    ...answer,
    actionIds: bundle.actions.map(({ id }) => id),
    entityIds: bundle.entities.map(({ id }) => id),
  };
}

function inSession(bundle: BundleDraft, sessionId: string | undefined): BundleDraft {
  if (sessionId === undefined) return bundle;
  return { ...bundle, actions: bundle.actions.map((action) => ({ ...action, sessionId })) };
}

/** Reads the action by which this project signed this file. */
async function readOwnAction(
  { provenance }: RecordDeps,
  projectId: string,
  { metadata, cid }: { metadata: ManifestReading['metadata']; cid: string },
): Promise<Action | undefined> {
  const { data: id } = z.uuid().safeParse(metadata?.actionId);
  const { text } = id === undefined ? {} : await readAction(provenance, projectId, id);
  const action = text === undefined ? undefined : actionSchema.parse(JSON.parse(text));
  return action?.outputCids.includes(cid) ? action : undefined;
}

/** Throws when the bundle exceeds `MAX_RECORDS` or has more than `most` records, or when it is not complete. */
export function assertBounded(
  bundle: Pick<BundleDraft, keyof typeof MAX_RECORDS | 'complete'>,
  most: number,
): void {
  for (const list of ['actions', 'entities', 'attributions'] as const) {
    const [count, most] = [bundle[list].length, MAX_RECORDS[list]];
    if (count <= most) continue;
    throw new ServiceError('ValidationError', `The file has ${count} ${list}.`, {
      recovery: `An import accepts at most ${most} ${list}. Use POST /v1/media/extract to read them without recording.`,
      details: [{ path: 'file', message: `Has too many ${list}` }],
    });
  }
  assertFewRecords(bundle, { most, subject: 'The file', recovery: READ_ONLY });
  if (bundle.complete) return;
  throw new ServiceError(
    'ValidationError',
    'The manifests of this file are too large to be imported completely.',
    {
      recovery:
        'The service reads at most 1,000 manifests of a file. Of each manifest, it reads at most 1,000 assertions, 1,000 actions, 1,000 ingredients, 100 authors, 100 identities and 100 soft bindings. All actions of a manifest may name at most 2,000 ingredients together, and one action at most 1,000. Of all manifests together, it reads at most 10,000 actions, 10,000 ingredients and 10,000 status codes. Of one ingredient, it reads at most 10,000 status codes. It skips at most 1,000 malformed elements of a list. Use POST /v1/media/extract to read the file up to these limits without recording it.',
      details: [
        { path: 'file', message: 'Has more manifests, or more parts of a manifest, than the service reads' },
      ],
    },
  );
}

/** Throws when an import has too many new actions, because it writes them one by one. */
export async function assertFewActions(
  { provenance, maxSerialActions: most }: Pick<RecordDeps, 'provenance' | 'maxSerialActions'>,
  projectId: string,
  { actions }: Pick<BundleDraft, 'actions'>,
): Promise<void> {
  if (most === undefined || actions.length <= most) return;
  const ids = actions.map(({ id }) => id);
  const known = await readKnownActions(provenance, projectId, ids);
  const count = new Set(ids).size - known.size;
  if (count > most)
    throw tooManySerial({ actions: count, most }, { subject: 'The file', recovery: READ_ONLY });
}

function requireValid(
  reading: ManifestReading | undefined,
  validation: Validation | null,
): ManifestReading & { bundle: BundleDraft } {
  if (validation === null) {
    throw new ServiceError('ValidationError', 'This file has no manifest to import.', {
      recovery: 'Record it with POST /v1/activity instead.',
      details: [{ path: 'file', message: 'Has no manifest' }],
    });
  }
  if (reading !== undefined && reading.bundle !== null) return { ...reading, bundle: reading.bundle };
  throw new ServiceError('ValidationError', `The file cannot be imported: ${validation.summary}`, {
    recovery: 'See details. POST /v1/media/extract returns the claims of the manifest.',
    details: [{ path: 'file', message: validation.summary, codes: validation.codes }],
  });
}

interface Import {
  bundle: BundleDraft;
  media: AwaitedMedia;
  at: Date;
  softBindings: string[];
}

async function recordBundle(
  records: RecordDeps,
  projectId: string,
  { bundle, media, at, softBindings }: Import,
): Promise<void> {
  const upload = await stageFile(records, projectId, media.path);
  try {
    const { signal } = media;
    const described = describeUpload(upload, bundle);
    const sizeBytes = lengthOf(await writeJson(bundle, { form: 'plain', signal }));
    const turn = { projectId, kind: toBatchKind(sizeOfBatch(bundle, sizeBytes)), signal };
    const write = async (isTrial: boolean, items: readonly RecordItem[]) => {
      const outcomes = await records.recorder.recordTogether(projectId, { items, isTrial });
      for (const outcome of outcomes) requireWritten(outcome);
    };
    // This trial only checks the records. It frees its slot before `prepareUploadJobs`, which can wait for other slots.
    const items = await records.scheduler.run(turn, async (running) => {
      const drafted = await toItems(bundle, { at, described, signal: running });
      await write(true, drafted);
      return drafted;
    });
    await upload.commit();
    const effects = await prepareUploadJobs(records, projectId, { upload, described, signal });
    const complete = items.map((item) =>
      item.upload === undefined ? item : { ...item, ...effects, softBindings },
    );
    await records.scheduler.run(turn, () => write(false, complete));
  } finally {
    await upload.discard();
  }
}

/** The upload belongs to the first action that made the file. Yields, because digests take time. */
export async function toItems(
  bundle: BundleDraft,
  { at, described, signal }: Pick<Import, 'at'> & { described: DescribedItem; signal: AbortSignal },
): Promise<RecordItem[]> {
  const makingFile = bundle.actions.find(({ outputCids }) => outputCids.includes(bundle.cid));
  const index: Index = {
    entities: await draftEntities(bundle, at, signal),
    attributions: await draftAttributions(bundle, at, signal),
    types: new Map(bundle.resources.map(({ cid, type }) => [cid, type])),
  };
  const toItem = (action: ActionDraft): RecordItem => ({
    ...draftPerformed(bundle, { action, at, index }),
    ...(action === makingFile ? { upload: described } : {}),
  });
  return [...(await mapYielding(bundle.actions, toItem, signal)), ...toOthers(index)];
}

type DescribedItem = NonNullable<RecordItem['upload']>;

/** Keys: entity id, action id and CID. */
interface Index {
  entities: ReadonlyMap<string, EntityDraft>;
  attributions: ReadonlyMap<string | undefined, DraftedAttribution[]>;
  types: ReadonlyMap<string, string>;
}

interface DraftedAttribution {
  entityId: string;
  draft: Draft;
}

async function draftEntities(
  { entities }: BundleDraft,
  at: Date,
  signal: AbortSignal,
): Promise<Index['entities']> {
  const toDraft = (entity: BundleDraft['entities'][number]): [string, EntityDraft] => [
    entity.id,
    draftEntity(entity as EntityInput, { id: entity.id, at, asserted: {} }),
  ];
  return new Map(await mapYielding(entities, toDraft, signal));
}

/** Omits attributions of contents that no action of the manifest made. */
async function draftAttributions(
  { actions, attributions }: BundleDraft,
  at: Date,
  signal: AbortSignal,
): Promise<Index['attributions']> {
  const made = new Set(actions.flatMap(({ outputCids }) => outputCids));
  const groups = new Map<string | undefined, DraftedAttribution[]>();
  const add = (one: BundleDraft['attributions'][number]) => {
    const { actionId, resourceCid, entityId } = one;
    if (actionId === undefined && !made.has(resourceCid ?? '')) return;
    const group = groups.get(actionId) ?? [];
    group.push({ entityId, draft: draftAttribution(one, {}, at) });
    groups.set(actionId, group);
  };
  await mapYielding(attributions, add, signal);
  return groups;
}

function entitiesOf({ entities }: Index, id: string): EntityDraft[] {
  const found = entities.get(id);
  return found === undefined ? [] : [found];
}

function describeUpload({ digests, mimeType }: StagedUpload, { cid, resources }: BundleDraft): DescribedItem {
  const extensions = resources.find((resource) => resource.cid === cid)?.extensions ?? {};
  return {
    ...digests,
    contentDigest: digests.contentDigest.slice('sha256:'.length),
    mimeType,
    type: toResourceType(mimeType),
    typeIsStated: false,
    mayExist: true,
    extensions: extensions as JsonObject,
  };
}

function draftPerformed(
  bundle: BundleDraft,
  { action, at, index }: { action: ActionDraft; at: Date; index: Index },
): RecordItem {
  const { id, ...input } = action;
  const resourceType = index.types.get(action.outputCids[0] ?? '') ?? 'other';
  const said = { ...withoutAbsent(input), resourceType } as unknown;
  const request = { importedFrom: bundle.cid, actionId: id };
  const drafted = draftAction(said as Omit<ActionInput, 'id'>, {
    id,
    idIsGiven: true,
    at,
    request,
    asserted: {},
  });
  return {
    entities: entitiesOf(index, action.performedBy),
    action: { ...drafted, statesNothing: true },
    attributions: (index.attributions.get(id) ?? []).map(({ draft }) => draft),
  };
}

/** Returns an item for each attribution that names no action. */
function toOthers(index: Index): RecordItem[] {
  return (index.attributions.get(undefined) ?? []).map(({ entityId, draft }) => ({
    entities: entitiesOf(index, entityId),
    attributions: [draft],
  }));
}
