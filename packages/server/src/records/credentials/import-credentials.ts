import { createReadStream } from 'node:fs';
import {
  type ActionDraft,
  type ActionInput,
  type BundleDraft,
  type EntityInput,
  type ManifestStore,
  type MediaImport,
  toBundle,
  toDisplay,
  type Validation,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { ManifestThumbnail } from '../../media/media-engine.js';
import { toResourceType } from '../../media/sniff-media-type.js';
import { draftAction, draftAttribution, draftEntity, withoutAbsent } from '../draft-records.js';
import type { RecordNeeds } from '../needs.js';
import { requireWritten } from '../outcome.js';
import { draftPins } from '../pin-content.js';
import type { RecordItem } from '../recorder.js';
import { readStoredContent } from '../records.sql.js';
import { type StagedUpload, stageUpload } from '../stage-upload.js';
import { describeFile, nameThumbnails } from './extract-credentials.js';
import type { CredentialNeeds } from './needs.js';
import { readCredentials } from './read-credentials.js';
import type { StagedMedia } from './stage-media.js';

interface Needs {
  records: RecordNeeds;
  credentials: CredentialNeeds;
}

/**
 * Records what the manifest of a file says: the file's bytes, and the actions, entities and attributions behind it,
 * oldest first. Every id follows from the file, so that importing it again, or after an import that was cut short,
 * adds what is missing and nothing twice. Throws `ValidationError` for a file whose manifest is absent or not valid.
 */
export async function importCredentials(
  needs: Needs,
  projectId: string,
  media: StagedMedia,
): Promise<MediaImport> {
  const { store, validation, thumbnails } = await readCredentials(needs.credentials, projectId, media);
  const checked = requireValid(store, validation);
  const at = new Date();
  const bundle = toBundle(checked.store, {
    fileCid: media.digests.cid,
    mimeType: media.mediaType,
    now: at.toISOString(),
    thumbnailCids: nameThumbnails(thumbnails),
  });
  await recordBundle(needs.records, projectId, { bundle, media, at, thumbnails });
  return {
    ...describeFile(media),
    actionIds: bundle.actions.map(({ id }) => id),
    entityIds: bundle.entities.map(({ id }) => id),
    contentUrl: `/v1/resource/${bundle.cid}/content`,
    validation: checked.validation,
    display: toDisplay(checked.store, checked.validation),
  };
}

function requireValid(
  store: ManifestStore | undefined,
  validation: Validation | null,
): { store: ManifestStore; validation: Validation } {
  if (validation === null) {
    throw new ServiceError('ValidationError', 'This file has no manifest to import.', {
      recovery: 'Record it with POST /v1/activity instead.',
      details: [{ path: 'file', message: 'Has no manifest' }],
    });
  }
  if (store !== undefined && validation.state !== 'invalid') return { store, validation };
  throw new ServiceError('ValidationError', `The manifest is not valid: ${validation.summary}`, {
    recovery: 'See details; what it claims is told by POST /v1/media/extract.',
    details: [{ path: 'file', message: validation.summary, codes: validation.codes }],
  });
}

interface Import {
  bundle: BundleDraft;
  media: StagedMedia;
  at: Date;
  thumbnails: readonly ManifestThumbnail[];
}

async function recordBundle(
  records: RecordNeeds,
  projectId: string,
  { bundle, media, at }: Import,
): Promise<void> {
  const known = await readStoredContent(records.provenance, projectId, bundle.cid);
  const upload =
    known === undefined
      ? await stageUpload(records.blobs, projectId, createReadStream(media.path))
      : undefined;
  try {
    await upload?.writer.commit(upload.digests.contentDigest);
    const items = toItems(bundle, { at, upload });
    const providers = await records.pinProviders(projectId);
    for (const item of items) {
      const pins = item.upload === undefined ? {} : draftPins(providers, item.upload);
      requireWritten(await records.recorder.record(projectId, { ...item, ...pins }));
    }
  } finally {
    await upload?.discard();
  }
}

/** An item for each action, with who performed it; the first that made the file brings its bytes. */
function toItems(
  bundle: BundleDraft,
  { at, upload }: { at: Date; upload: StagedUpload | undefined },
): RecordItem[] {
  const makingFile = bundle.actions.find(({ outputCids }) => outputCids.includes(bundle.cid));
  const extensions = bundle.resources.find(({ cid }) => cid === bundle.cid)?.extensions ?? {};
  const items = bundle.actions.map((action): RecordItem => {
    const brings = action === makingFile && upload !== undefined;
    return {
      ...draftPerformed(bundle, action, at),
      ...(brings ? { upload: { ...describeUpload(upload), extensions: extensions as never } } : {}),
    };
  });
  return [...items, ...draftOthers(bundle, at)];
}

function describeUpload({ digests, mimeType }: StagedUpload): NonNullable<RecordItem['upload']> {
  return {
    ...digests,
    contentDigest: digests.contentDigest.slice('sha256:'.length),
    mimeType,
    type: toResourceType(mimeType),
    typeIsStated: false,
  };
}

function draftPerformed(bundle: BundleDraft, action: ActionDraft, at: Date): RecordItem {
  const { id, ...input } = action;
  const performer = bundle.entities.filter((entity) => entity.id === action.performedBy);
  const attributions = bundle.attributions.filter(({ actionId }) => actionId === id);
  const [output] = bundle.resources.filter(({ cid }) => action.outputCids.includes(cid));
  const request = { importedFrom: bundle.cid, actionId: id };
  return {
    entities: performer.map((entity) =>
      draftEntity(entity as EntityInput, { id: entity.id, at, asserted: {} }),
    ),
    action: draftAction(
      { ...withoutAbsent(input), resourceType: output?.type ?? 'other' } as Omit<ActionInput, 'id'>,
      {
        id,
        idIsGiven: true,
        at,
        request,
        asserted: {},
      },
    ),
    attributions: attributions.map((one) => draftAttribution(one, {}, at)),
  };
}

/** Who is attributed to content alone: authors, and who signed. */
function draftOthers(bundle: BundleDraft, at: Date): RecordItem[] {
  const made = new Set(bundle.actions.flatMap(({ outputCids }) => outputCids));
  return bundle.attributions
    .filter(({ actionId, resourceCid }) => actionId === undefined && made.has(resourceCid ?? ''))
    .map((attribution) => ({
      entities: bundle.entities
        .filter(({ id }) => id === attribution.entityId)
        .map((entity) => draftEntity(entity as EntityInput, { id: entity.id, at, asserted: {} })),
      attributions: [draftAttribution(attribution, {}, at)],
    }));
}
