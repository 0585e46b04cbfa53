import {
  type ActivityInput,
  C2PA_EXTENSION,
  deriveManifestCid,
  type Entity,
  MARK_EXTENSION,
  type MediaEmbedding,
  type StoredSoftBinding,
  toShownTitle,
} from '@colophon/model';
import type { SignedSummary } from '../../media/manifest-reading.js';
import type { RecordDeps } from '../deps.js';
import type { StagedUpload } from '../draft/stage-upload.js';
import { digestBinding, digestIssuedMark } from '../matching/soft-binding.js';
import { recordActivity } from '../write/record-activity.js';
import type { CredentialDeps } from './deps.js';
import { type Embedding, requestOf } from './embedding.js';
import { readRecorded } from './read-recorded.js';

interface RecordSignedDeps {
  records: RecordDeps;
  credentials: CredentialDeps;
}

/** `isNew` is false when the file was recorded earlier. */
export type Embedded = MediaEmbedding & { isNew: boolean; replayed: boolean };

interface MarkedActivity extends Pick<Embedding, 'input'> {
  performer: Entity;
  inputCids: readonly string[];
}

interface Signed extends Embedding, MarkedActivity {
  actionId: string;
  upload: StagedUpload;
  summary: SignedSummary;
  ingredientCids: string[];
  /** The ISCC in the manifest. */
  fingerprint: StoredSoftBinding | undefined;
}

export async function recordSigned(
  deps: RecordSignedDeps,
  projectId: string,
  signed: Signed,
): Promise<Embedded> {
  const { records, credentials } = deps;
  const { upload, summary, ingredientCids, watermarked, signal } = signed;
  const { cid: fileCid } = upload.digests;
  const activity = {
    input: signed.isMark === true ? nameMarked(toActivity(signed), signed) : toActivity(signed),
    upload,
    fileName: signed.media.fileName,
    sentInputs: signed.inputCids,
    request: requestOf(signed),
    actionId: signed.actionId,
    found: {
      [C2PA_EXTENSION]: {
        ...summary.extension,
        manifestCid: deriveManifestCid(fileCid, summary.extension.manifestLabel),
        ingredientCids,
        ...(watermarked && { watermark: { ...watermarked.binding } }),
      },
    },
    softBindings: toDigests(signed),
    inputsWereSeen: true,
    signal,
  };
  const recorded = await credentials.times.time('record', () => recordActivity(records, projectId, activity));
  const isOurs = recorded.cid === fileCid;
  const shown = isOurs ? summary : await readRecorded(deps, projectId, { cid: recorded.cid, signal });
  return toAnswer(recorded, { shown, inputCid: signed.media.digests.cid });
}

/** Adds the CID of the sent file. The fingerprint omits it, so requests to earlier versions can be repeated. */
function nameMarked(activity: ActivityInput, { media }: Pick<Signed, 'media'>): ActivityInput {
  const { action } = activity;
  const mark = { ...action.extensions[MARK_EXTENSION], markedCid: media.digests.cid };
  return { ...activity, action: { ...action, extensions: { ...action.extensions, [MARK_EXTENSION]: mark } } };
}

function toDigests({ watermarked, fingerprint }: Signed): string[] | undefined {
  const digests = [
    ...(watermarked ? [digestBinding(watermarked.binding), digestIssuedMark(watermarked.binding)] : []),
    ...(fingerprint ? [digestBinding(fingerprint)] : []),
  ];
  return digests.length === 0 ? undefined : digests;
}

export function toActivity({ input, performer, inputCids }: MarkedActivity): ActivityInput {
  const { aiTool, extensions, proof, timestamp, sessionId, resourceType, aiDisclosure } = input;
  const type = input.actionType ?? (aiDisclosure === 'ai_generated' ? 'generate' : 'transform');
  return {
    entity: { id: performer.id, role: performer.role },
    action: {
      id: input.actionId,
      type,
      inputCids: [...new Set(inputCids)],
      aiTool,
      extensions,
      proof,
      timestamp,
    },
    sessionId,
    resourceType,
    title: typeof input.title === 'string' ? toShownTitle(input.title) : input.title,
  } as ActivityInput;
}

type Shown = Pick<MediaEmbedding, 'manifest' | 'validation' | 'display'>;

function toAnswer(
  recorded: Awaited<ReturnType<typeof recordActivity>>,
  { shown, inputCid }: { shown: Shown; inputCid: string },
): Embedded {
  const { cid, actionId, entityId, mimeType, size, isNew, replayed } = recorded;
  const { manifest, validation, display } = shown;
  return {
    cid,
    actionId,
    entityId,
    mimeType,
    size,
    contentUrl: `/v1/resource/${cid}/content`,
    inputCid,
    manifest,
    validation,
    display,
    isNew,
    replayed,
  };
}
