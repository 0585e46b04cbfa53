import type { MarkLayer, Validation } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { isDescribable, KINDS, type Kind, kindOf } from '../../search/descriptor.js';
import { readDescriptorState } from '../../search/descriptors.sql.js';
import { methodOfMark } from '../../search/mark-method.js';
import type { TransparencyLogDeps } from '../../transparency-log/deps.js';
import type { MatchingDeps } from '../matching/deps.js';
import { readWatermarkAlgorithm } from '../matching/image-marks.sql.js';
import type { Watermarking } from '../matching/write-marked-copy.js';

interface LayerDeps {
  records: { provenance: Queryable; matching: Pick<MatchingDeps, 'kinds'> };
  transparencyLog: Pick<TransparencyLogDeps, 'signer'>;
}

/** A recorded content. If `replayed`, an earlier request recorded it, perhaps with another result of `watermarking`. */
interface MarkedContent {
  cid: string;
  actionId: string;
  mimeType: string;
  size: number;
  validation: Validation | null;
  watermarking: Watermarking;
  replayed: boolean;
}

/** Never rejects, because the content is recorded already. */
export async function describeLayers(
  { records, transparencyLog }: LayerDeps,
  projectId: string,
  content: MarkedContent,
): Promise<MarkLayer[]> {
  return [
    manifestLayer(content),
    await fingerprintLayer(records, projectId, content),
    logLayer(transparencyLog, content),
    await watermarkLayer(records, projectId, content),
  ];
}

function manifestLayer({ validation, mimeType }: MarkedContent): MarkLayer {
  if (validation !== null) return { kind: 'manifest', state: 'added', method: 'c2pa' };
  return {
    kind: 'manifest',
    state: 'unavailable',
    reason: `The service writes no manifest into ${mimeType}. GET /v1/media/formats lists the formats.`,
  };
}

async function fingerprintLayer(
  { provenance, matching }: LayerDeps['records'],
  projectId: string,
  { cid, mimeType, size }: MarkedContent,
): Promise<MarkLayer> {
  const kind = kindOf(mimeType);
  const lack = whyNotDescribed(matching.kinds, { kind, mimeType, size });
  if (kind === undefined || lack !== undefined) return toUnavailable(lack);
  const { method } = KINDS[kind];
  const state = await readStateOrError(() => readDescriptorState(provenance, projectId, { method, cid }));
  if (state === 'usable') return { kind: 'fingerprint', state: 'added', method };
  if (state === 'empty') return toUnavailable('The content has too few features for a fingerprint.');
  const reason =
    state === 'unreadable'
      ? 'The service could not check whether the fingerprint exists already.'
      : 'The service computes the fingerprint in the background.';
  return { kind: 'fingerprint', state: 'pending', method, reason };
}

async function watermarkLayer(
  { provenance }: LayerDeps['records'],
  projectId: string,
  { cid, watermarking, replayed }: MarkedContent,
): Promise<MarkLayer> {
  const kind = 'watermark';
  const added = 'copy' in watermarking ? watermarking.copy.binding.alg : undefined;
  const alg = replayed
    ? await readStateOrError(() => readWatermarkAlgorithm(provenance, projectId, cid))
    : added;
  if (alg !== undefined && alg !== 'unreadable') return { kind, state: 'added', method: methodOfMark(alg) };
  const reason =
    alg === 'unreadable'
      ? 'The service could not check whether the recorded content has a watermark.'
      : 'reason' in watermarking
        ? watermarking.reason
        : 'An earlier request recorded the content without a watermark.';
  return { kind, state: 'unavailable', reason };
}

async function readStateOrError<State>(read: () => Promise<State>): Promise<State | 'unreadable'> {
  try {
    return await read();
  } catch {
    return 'unreadable';
  }
}

function toUnavailable(reason = ''): MarkLayer {
  return { kind: 'fingerprint', state: 'unavailable', reason };
}

function whyNotDescribed(
  kinds: ReadonlySet<Kind>,
  { kind, mimeType, size }: { kind: Kind | undefined; mimeType: string; size: number },
): string | undefined {
  if (kind === undefined)
    return `No fingerprint method supports ${mimeType}. A search finds only identical bytes.`;
  if (!kinds.has(kind)) {
    const { decoder } = KINDS[kind];
    const remedy = decoder === undefined ? '' : ` The operator can install ${decoder}.`;
    return `This service has no decoder for ${mimeType}.${remedy}`;
  }
  return isDescribable(kind, size)
    ? undefined
    : `Content of ${size} bytes is too small or too large for a fingerprint.`;
}

function logLayer({ signer }: LayerDeps['transparencyLog'], { actionId }: MarkedContent): MarkLayer {
  if (signer === undefined)
    return {
      kind: 'log',
      state: 'unavailable',
      reason: 'The log of this service has no key (SERVER_SIGNING_KEY).',
    };
  const receiptUrl = `/v1/action/${encodeURIComponent(actionId)}/receipt`;
  return { kind: 'log', state: 'added', method: 'rfc6962', receiptUrl };
}
