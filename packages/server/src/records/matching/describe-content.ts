import type { BlobRef, BlobStore } from '../../blobs/blob-store.js';
import { isDescribable, type Kind, kindOf } from '../../search/descriptor.js';
import { holdPictureLibrary } from '../../search/hold-picture-library.js';
import { type SearchPlace, type SearchPool, SMALL_TEXT_BYTES } from '../../search/search-pool.js';
import type { Description } from '../../search/worker/protocol.js';
import type { Turn } from '../../work/scheduler.js';
import type { MatchingNeeds } from './needs.js';

/** Content whose bytes are in the store, and perhaps at hand. */
export interface StoredBytes extends BlobRef {
  mimeType: string;
  sizeBytes: number;
  bytes?: Uint8Array | undefined;
}

/** How content of this type and size is described; undefined when it is not. */
export function describableAs(
  { kinds }: Pick<MatchingNeeds, 'kinds'>,
  { mimeType, sizeBytes }: Pick<StoredBytes, 'mimeType' | 'sizeBytes'>,
): Kind | undefined {
  const kind = kindOf(mimeType);
  return kind !== undefined && kinds.has(kind) && isDescribable(kind, sizeBytes) ? kind : undefined;
}

/** What describing content takes beside the bytes themselves. */
const DESCRIBING_BYTES = 32 * 2 ** 20;

/** The turn in which content is described that somebody records. */
export function turnToDescribe(kind: Kind, sizeBytes: number): Pick<Turn, 'kind' | 'memoryBytes'> {
  const isSmallText = kind === 'text' && sizeBytes <= SMALL_TEXT_BYTES;
  return isSmallText
    ? { kind: 'text', memoryBytes: sizeBytes }
    : { kind: 'describe', memoryBytes: memoryToDescribe(sizeBytes) };
}

/** What describing content of this size may take, in bytes. */
export function memoryToDescribe(sizeBytes: number): number {
  return DESCRIBING_BYTES + 2 * sizeBytes;
}

/** The description of bytes in memory. Rejects with `Timeout` or `Unavailable`. */
export async function describeBytes(
  pool: SearchPool,
  { kind, mediaType, bytes }: { kind: Kind; mediaType: string; bytes: Uint8Array },
  place: SearchPlace,
): Promise<Description> {
  if ((kind === 'image' || kind === 'heif') && !(await holdPictureLibrary()))
    return { kind: 'nothing', reason: 'Pictures cannot be decoded on this platform.', isPassing: true };
  const answer = await pool.run({ kind: 'describe', as: kind, mediaType, bytes }, place);
  if (answer.kind === 'checked') throw new Error('A description was answered with a check');
  return answer;
}

/** The description of stored content; `nothing` as well when its bytes are gone. */
export async function describeStored(
  { matching, blobs }: { matching: Pick<MatchingNeeds, 'pool' | 'kinds'>; blobs: BlobStore },
  stored: StoredBytes,
  place: SearchPlace,
): Promise<Description> {
  const kind = describableAs(matching, stored);
  if (kind === undefined)
    return { kind: 'nothing', reason: 'There is no method for content of this kind and size.' };
  const bytes = stored.bytes ?? (await readAll(blobs, stored, place.signal));
  if (bytes === undefined)
    return { kind: 'nothing', reason: 'Its bytes are not in the store.', isPassing: true };
  return describeBytes(matching.pool, { kind, mediaType: stored.mimeType, bytes }, place);
}

async function readAll(
  blobs: BlobStore,
  { projectId, contentDigest }: BlobRef,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const stream = await blobs.readContent({ projectId, contentDigest });
  if (stream === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    signal.throwIfAborted();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
