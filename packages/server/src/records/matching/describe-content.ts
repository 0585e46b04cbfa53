import type { BlobRef, BlobStore } from '../../blobs/blob-store.js';
import { memoryToDecode } from '../../platform/work/picture-memory.js';
import type { Turn } from '../../platform/work/scheduler.js';
import { isDescribable, type Kind, kindOf } from '../../search/descriptor.js';
import { holdPictureLibrary } from '../../search/hold-picture-library.js';
import { type ReadPart, readPictureShape } from '../../search/picture-shape.js';
import { type SearchContext, type SearchPool, SMALL_TEXT_BYTES } from '../../search/search-pool.js';
import type { Description } from '../../search/worker/protocol.js';
import type { MatchingDeps } from './deps.js';

/** Content whose bytes are in the store, and perhaps at hand. */
export interface StoredBytes extends BlobRef {
  mimeType: string;
  sizeBytes: number;
  bytes?: Uint8Array | undefined;
}

/** How content of this type and size is described; undefined when it is not. */
export function describableAs(
  { kinds }: Pick<MatchingDeps, 'kinds'>,
  { mimeType, sizeBytes }: Pick<StoredBytes, 'mimeType' | 'sizeBytes'>,
): Kind | undefined {
  const kind = kindOf(mimeType);
  return kind !== undefined && kinds.has(kind) && isDescribable(kind, sizeBytes) ? kind : undefined;
}

/** Memory to describe content, besides its bytes. */
const DESCRIBING_BYTES = 32 * 2 ** 20;

/** How much of a text is described, in bytes. */
const MAX_TEXT_BYTES = 2 ** 20;

/** Content whose description is wanted; its bytes are read when its turn has come, those of its header before. */
export interface Undescribed {
  kind: Kind;
  sizeBytes: number;
  readPart: ReadPart;
}

/** The turn in which content is described that somebody records. */
export async function turnToDescribe(
  matching: Pick<MatchingDeps, 'maxPictureBytes'>,
  content: Undescribed,
): Promise<Pick<Turn, 'kind' | 'memoryBytes'>> {
  const { kind, sizeBytes } = content;
  if (kind === 'text' && sizeBytes <= SMALL_TEXT_BYTES) return { kind: 'text', memoryBytes: sizeBytes };
  return { kind: 'describe', memoryBytes: await memoryToDescribe(matching, content) };
}

/**
 * Estimates the memory to describe content, in bytes. A picture of unknown dimensions counts
 * as the allowed maximum.
 */
export async function memoryToDescribe(
  { maxPictureBytes }: Pick<MatchingDeps, 'maxPictureBytes'>,
  { kind, sizeBytes, readPart }: Undescribed,
): Promise<number> {
  if (kind === 'text') return DESCRIBING_BYTES + 2 * Math.min(sizeBytes, MAX_TEXT_BYTES);
  const forBytes = DESCRIBING_BYTES + 2 * sizeBytes;
  if (kind === 'audio') return forBytes;
  const shape = await readPictureShape(readPart);
  return forBytes + Math.min(shape === undefined ? maxPictureBytes : memoryToDecode(shape), maxPictureBytes);
}

/** Stored content, whose header is read from the store unless the bytes are at hand. */
export function toUndescribed(
  blobs: BlobStore,
  kind: Kind,
  { bytes, sizeBytes, ...ref }: StoredBytes,
): Undescribed {
  const { signal } = new AbortController();
  const readPart: ReadPart = async (start, end) => {
    if (start >= sizeBytes) return undefined;
    return (
      bytes?.subarray(start, end) ?? readStored(blobs, ref, { start, end: Math.min(sizeBytes, end), signal })
    );
  };
  return { kind, sizeBytes, readPart };
}

/** The description of bytes in memory. Rejects with `Timeout` or `Unavailable`. */
export async function describeBytes(
  pool: SearchPool,
  { kind, mediaType, bytes }: { kind: Kind; mediaType: string; bytes: Uint8Array },
  place: SearchContext,
): Promise<Description> {
  if ((kind === 'image' || kind === 'heif') && !(await holdPictureLibrary()))
    return { kind: 'nothing', reason: 'Pictures cannot be decoded on this platform.', isPassing: true };
  const answer = await pool.run({ kind: 'describe', as: kind, mediaType, bytes }, place);
  if (answer.kind === 'checked') throw new Error('A description was answered with a check');
  return answer;
}

/** The description of stored content; `nothing` as well when its bytes are gone. */
export async function describeStored(
  { matching, blobs }: { matching: Pick<MatchingDeps, 'pool' | 'kinds'>; blobs: BlobStore },
  stored: StoredBytes,
  place: SearchContext,
): Promise<Description> {
  const kind = describableAs(matching, stored);
  if (kind === undefined)
    return { kind: 'nothing', reason: 'No method of comparison supports content of this kind and size.' };
  const endBytes = kind === 'text' ? Math.min(stored.sizeBytes, MAX_TEXT_BYTES) : stored.sizeBytes;
  const bytes =
    stored.bytes ?? (await readStored(blobs, stored, { start: 0, end: endBytes, signal: place.signal }));
  if (bytes === undefined)
    return { kind: 'nothing', reason: 'Its bytes are not in the store.', isPassing: true };
  return describeBytes(matching.pool, { kind, mediaType: stored.mimeType, bytes }, place);
}

/** Bytes of stored content, from `start` to before `end`. */
async function readStored(
  blobs: BlobStore,
  { projectId, contentDigest }: BlobRef,
  { start, end, signal }: { start: number; end: number; signal: AbortSignal },
): Promise<Uint8Array | undefined> {
  const stream = await blobs.readContent({ projectId, contentDigest }, { start, end: end - 1 });
  if (stream === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    signal.throwIfAborted();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
