import type { BlobRef, BlobStore } from '../../blobs/blob-store.js';
import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import { memoryToDecode } from '../../platform/work/picture-memory.js';
import type { Turn } from '../../platform/work/scheduler.js';
import { isDescribable, type Kind, kindOf } from '../../search/descriptor.js';
import { type ReadPart, readPictureShape } from '../../search/picture-shape.js';
import { type SearchContext, type SearchPool, SMALL_TEXT_BYTES } from '../../search/search-pool.js';
import type { Description } from '../../search/worker/protocol.js';
import type { MatchingDeps } from './deps.js';

/** Stored content, with its bytes if they are in memory. */
export interface StoredBytes extends BlobRef {
  mimeType: string;
  sizeBytes: number;
  bytes?: Uint8Array | undefined;
}

/** Returns the kind of description for content of this type and size; undefined when it gets none. */
export function describableAs(
  { kinds }: Pick<MatchingDeps, 'kinds'>,
  { mimeType, sizeBytes }: Pick<StoredBytes, 'mimeType' | 'sizeBytes'>,
): Kind | undefined {
  const kind = kindOf(mimeType);
  return kind !== undefined && kinds.has(kind) && isDescribable(kind, sizeBytes) ? kind : undefined;
}

/** Memory to describe content, in addition to its bytes. */
const DESCRIBING_BYTES = 32 * 2 ** 20;

/** Largest described part of a text, in bytes. */
const MAX_TEXT_BYTES = 2 ** 20;

/** Content to describe. Its header is read before it waits for a slot, and its bytes afterwards. */
export interface Undescribed {
  kind: Kind;
  sizeBytes: number;
  readPart: ReadPart;
}

/** Returns the request for a slot to describe content that is being recorded. */
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

/** Prepares stored content. Its header is read from the store unless the bytes are in memory. */
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

/** Describes bytes in memory. Rejects with `Timeout` or `Unavailable`. */
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

/** Describes stored content. The result is also `nothing` when its bytes are deleted. */
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

/** Reads bytes of stored content from `start` up to, but not including, `end`. */
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
