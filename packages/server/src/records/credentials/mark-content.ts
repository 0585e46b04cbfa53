import { type EmbedInput, MARK_EXTENSION, type Mark, type MarkInput } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../errors.js';
import type { TransparencyLogDeps } from '../../transparency-log/deps.js';
import type { RecordDeps } from '../deps.js';
import { stageFile } from '../draft/stage-upload.js';
import { recordActivity } from '../write/record-activity.js';
import { addWatermark } from './add-watermark.js';
import { assertDisclosed } from './assert-disclosed.js';
import type { CredentialDeps } from './deps.js';
import { describeLayers } from './describe-layers.js';
import { embedCredentials } from './embed-credentials.js';
import { canSign, type Embedding, requestOf } from './embedding.js';
import { gatherIngredients } from './gather-ingredients.js';
import { toActivity } from './record-signed.js';
import { requireEntity } from './require-entity.js';

interface MarkDeps {
  records: RecordDeps;
  credentials: CredentialDeps;
  transparencyLog: Pick<TransparencyLogDeps, 'signer'>;
}

type Marked = Mark & { isNew: boolean; replayed: boolean };
type Recorded = Omit<Marked, 'layers'>;

/**
 * Signs and records a copy for a format with manifests. For other formats, records the file itself. A rejected call
 * records nothing.
 */
export async function markContent(
  deps: MarkDeps,
  projectId: string,
  embedding: Embedding & { input: MarkInput },
): Promise<Marked> {
  const marking = { ...embedding, input: withMark(embedding.input) };
  const watermarking = await addWatermark(deps, projectId, marking);
  const watermarked = 'copy' in watermarking ? watermarking.copy : undefined;
  const recorded: Recorded = canSign(embedding.media.mediaType)
    ? await embedCredentials(deps, projectId, { ...marking, watermarked, isMark: true })
    : await recordUnsigned(deps, projectId, marking);
  const layers = await describeLayers(deps, projectId, { ...recorded, watermarking });
  if (recorded.isNew) for (const { kind, state } of layers) deps.credentials.marks.add({ kind, state });
  return { ...recorded, layers };
}

/** Adds the disclosure to the action, because the log covers actions but not manifests. */
function withMark(input: MarkInput): MarkInput {
  if (MARK_EXTENSION in input.extensions)
    throw new ServiceError('ValidationError', `The service sets ${MARK_EXTENSION} itself.`, {
      recovery: 'Leave it out of `extensions`.',
      details: [{ path: `extensions.${MARK_EXTENSION}`, message: 'set by the service' }],
    });
  const { aiDisclosure, generator } = input;
  const tool = typeof generator === 'string' ? { name: generator } : generator;
  return {
    ...input,
    extensions: { ...input.extensions, [MARK_EXTENSION]: { aiDisclosure, generator: tool } },
  };
}

async function recordUnsigned(
  { records }: MarkDeps,
  projectId: string,
  embedding: Embedding,
): Promise<Recorded> {
  const { input, media, signal } = embedding;
  const performer = await requireEntity(records, projectId, input.entityId);
  assertDisclosed(input, performer);
  // The bytes of the ingredients are not needed, so their size has no limit.
  const maxBytes = Number.POSITIVE_INFINITY;
  const { ingredients } = await gatherIngredients(records, projectId, { ...embedding, maxBytes });
  const inputCids = ingredients.map(({ said }) => said.cid);
  const actionType = input.actionType ?? defaultType(input, inputCids);
  const upload = await stageFile(records, projectId, media.path);
  try {
    signal?.throwIfAborted();
    const { cid, actionId, entityId, mimeType, size, isNew, replayed } = await recordActivity(
      records,
      projectId,
      {
        input: toActivity({ input: { ...input, actionType }, performer, inputCids }),
        upload,
        fileName: media.fileName,
        sentInputs: inputCids,
        request: requestOf(embedding),
        actionId: input.actionId ?? uuidv7(),
        inputsWereSeen: true,
        signal,
      },
    );
    return {
      ...{ cid, actionId, entityId, mimeType, size, isNew, replayed },
      contentUrl: `/v1/resource/${cid}/content`,
      inputCid: media.digests.cid,
      manifest: null,
      validation: null,
      display: null,
    };
  } finally {
    await upload.discard();
  }
}

/** The default for a signed copy is never `create`, because the service changes the file. */
function defaultType({ aiDisclosure }: EmbedInput, inputCids: readonly string[]): EmbedInput['actionType'] {
  if (aiDisclosure === 'ai_generated') return 'generate';
  return inputCids.length > 0 ? 'transform' : 'create';
}
