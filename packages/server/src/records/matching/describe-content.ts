import { type BlobRef, type BlobStore, LARGE_CHUNK_BYTES } from '../../blobs/blob-store.js';
import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import { memoryToDecode } from '../../platform/work/picture-memory.js';
import type { Turn } from '../../platform/work/scheduler.js';
import { PRINT_BYTES } from '../../search/audio/read-print.js';
import { isDescribable, type Kind, kindOf, MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import { MAX_STORED_TEXT_BYTES } from '../../search/iscc/content-unit.js';
import { type ReadPart, readPictureShape } from '../../search/picture-shape.js';
import { DECODER_BYTES } from '../../search/run-decoder.js';
import { SMALL_TEXT_BYTES } from '../../search/search-lanes.js';
import type { SearchContext, SearchPool } from '../../search/search-pool.js';
import { PDF_READER_BYTES } from '../../search/text/read-pdf-text.js';
import { MAX_FRAMES_BYTES } from '../../search/video/frames.js';
import type { CodedContent, DescribeTask, Description } from '../../search/worker/protocol.js';
import type { MatchingDeps } from './deps.js';

export interface StoredBytes extends BlobRef {
  mimeType: string;
  sizeBytes: number;
  bytes?: Uint8Array | undefined;
}

/** `isOnlyStored`: the caller does not search with the description. */
type DecodedParts = Pick<DescribeTask, 'frames' | 'signature' | 'isOnlyStored'>;

export type BytesToDescribe = StoredBytes & DecodedParts;

export function describableAs(
  { kinds }: Pick<MatchingDeps, 'kinds'>,
  { mimeType, sizeBytes }: Pick<StoredBytes, 'mimeType' | 'sizeBytes'>,
): Kind | undefined {
  const kind = kindOf(mimeType);
  return kind !== undefined && kinds.has(kind) && isDescribable(kind, sizeBytes) ? kind : undefined;
}

/** Returns undefined when the service stores no ISCC for this type and size. */
export function codableAs(
  { kinds, storesIscc }: Pick<MatchingDeps, 'kinds' | 'storesIscc'>,
  { mimeType, sizeBytes }: Pick<StoredBytes, 'mimeType' | 'sizeBytes'>,
): Kind | undefined {
  const kind = kindOf(mimeType);
  const isCodable = storesIscc && kind !== undefined && kinds.has(kind) && sizeBytes <= MAX_DESCRIBED_BYTES;
  return isCodable ? kind : undefined;
}

/** Memory to describe content, in bytes, without the content itself. */
const DESCRIBING_BYTES = 32 * 2 ** 20;

/** Maximum number of bytes that a description of a text covers, from the start of the text. */
const MAX_TEXT_BYTES = 2 ** 20;

/** Memory for the words of an SVG, in bytes: several copies of at most 1 MiB of the file. */
const SVG_BYTES = 64 * 2 ** 20;

/** Memory to compute a Text-Code, in bytes per byte of text. */
const CODING_TIMES = 24;

/** `readPart` reads the header, to estimate the memory before the scheduler provides a slot. */
export interface Undescribed {
  kind: Kind;
  sizeBytes: number;
  readPart: ReadPart;
}

/** Memory for the decoded frames of a video in this thread, and for their copy in a describing thread. */
const FRAMES_BYTES = 2 * MAX_FRAMES_BYTES;

/** Returns the slot in which content is described. For a video, it includes the decoding. */
export async function turnToDescribe(
  matching: Pick<MatchingDeps, 'maxPictureBytes'>,
  content: Undescribed,
): Promise<Pick<Turn, 'kind' | 'memoryBytes'>> {
  const { kind, sizeBytes } = content;
  if (kind === 'text' && sizeBytes <= SMALL_TEXT_BYTES) return { kind: 'text', memoryBytes: sizeBytes };
  const memoryBytes = await memoryToDescribe(matching, content);
  return { kind: kind === 'video' ? 'video' : 'describe', memoryBytes };
}

/** Returns the slot in which content is described and its ISCC is computed. */
export async function turnToCode(
  matching: Pick<MatchingDeps, 'maxPictureBytes'>,
  content: Undescribed,
): Promise<Pick<Turn, 'kind' | 'memoryBytes'>> {
  const { kind, sizeBytes } = content;
  if (kind !== 'text') return turnToDescribe(matching, content);
  const forText = CODING_TIMES * Math.min(sizeBytes, MAX_STORED_TEXT_BYTES);
  return { kind: 'describe', memoryBytes: DESCRIBING_BYTES + 2 * sizeBytes + forText };
}

/**
 * Returns the memory in bytes. The decoder of a video ends before the description begins, so only the larger amount
 * counts.
 */
export async function memoryToDescribe(
  { maxPictureBytes }: Pick<MatchingDeps, 'maxPictureBytes'>,
  { kind, sizeBytes, readPart }: Undescribed,
): Promise<number> {
  if (kind === 'text') return DESCRIBING_BYTES + 2 * Math.min(sizeBytes, MAX_TEXT_BYTES);
  const forBytes = DESCRIBING_BYTES + 2 * sizeBytes;
  const forSound = forBytes + PRINT_BYTES;
  if (kind === 'svg') return forBytes + SVG_BYTES;
  if (kind === 'audio') return forSound;
  if (kind === 'pdf') return forBytes + PDF_READER_BYTES;
  if (kind === 'video') return FRAMES_BYTES + Math.max(DECODER_BYTES, forSound);
  const shape = await readPictureShape(readPart);
  return forBytes + Math.min(shape === undefined ? maxPictureBytes : memoryToDecode(shape), maxPictureBytes);
}

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

interface ContentInMemory extends DecodedParts, Pick<DescribeTask, 'mediaType' | 'bytes' | 'isOnlySearched'> {
  kind: Kind;
}

/** Rejects with `Timeout` or `Unavailable`. */
export async function describeBytes(
  pool: SearchPool,
  { kind, ...content }: ContentInMemory,
  place: SearchContext,
): Promise<Description> {
  if (await lacksDecoder(kind)) return UNDECODABLE;
  const answer = await pool.run({ kind: 'describe', as: kind, ...content }, place);
  if (answer.kind === 'described' || answer.kind === 'nothing') return answer;
  throw new Error(`The search thread returned "${answer.kind}", but a description was requested`);
}

const UNDECODABLE: Description = {
  kind: 'nothing',
  reason: 'Pictures cannot be decoded on this platform.',
  isPassing: true,
};

async function lacksDecoder(kind: Kind): Promise<boolean> {
  return (kind === 'image' || kind === 'heif') && !(await holdPictureLibrary());
}

/** Computes the ISCC, and on request the descriptor. Rejects with `Timeout` or `Unavailable`. */
export async function codeBytes(
  pool: SearchPool,
  { kind, ...content }: ContentInMemory & Required<Pick<DescribeTask, 'iscc'>>,
  place: SearchContext,
): Promise<CodedContent> {
  if (await lacksDecoder(kind)) return { kind: 'coded', description: UNDECODABLE };
  const answer = await pool.run({ kind: 'describe', as: kind, ...content }, place);
  if (answer.kind === 'coded') return answer;
  throw new Error(`The search thread returned "${answer.kind}", but an ISCC was requested`);
}

/** Returns undefined if the store lost the bytes. */
export async function codeStored(
  { matching, blobs }: { matching: Pick<MatchingDeps, 'pool'>; blobs: BlobStore },
  {
    kind,
    iscc,
    frames,
    signature,
    ...stored
  }: BytesToDescribe & { kind: Kind } & Required<Pick<DescribeTask, 'iscc'>>,
  place: SearchContext,
): Promise<CodedContent | undefined> {
  const range = { start: 0, end: stored.sizeBytes, signal: place.signal };
  const bytes = stored.sizeBytes === 0 ? new Uint8Array() : await readStored(blobs, stored, range);
  if (bytes === undefined) return undefined;
  const content = { kind, mediaType: stored.mimeType, bytes, frames, signature, isOnlyStored: true };
  return codeBytes(matching.pool, { ...content, iscc }, { ...place, moved: [bytes.buffer] });
}

/** Returns `nothing` for an unsupported kind or size, or if the store lost the bytes. */
export async function describeStored(
  { matching, blobs }: { matching: Pick<MatchingDeps, 'pool' | 'kinds'>; blobs: BlobStore },
  { frames, isOnlyStored, ...stored }: BytesToDescribe,
  place: SearchContext,
): Promise<Description> {
  const kind = describableAs(matching, stored);
  if (kind === undefined)
    return { kind: 'nothing', reason: 'No method of comparison supports content of this kind and size.' };
  const endBytes = kind === 'text' ? Math.min(stored.sizeBytes, MAX_TEXT_BYTES) : stored.sizeBytes;
  const content = { kind, mediaType: stored.mimeType, frames, isOnlyStored };
  if (stored.bytes !== undefined)
    return describeBytes(matching.pool, { ...content, bytes: stored.bytes }, place);
  const bytes = await readStored(blobs, stored, { start: 0, end: endBytes, signal: place.signal });
  if (bytes === undefined)
    return { kind: 'nothing', reason: 'Its bytes are not in the store.', isPassing: true };
  return describeBytes(matching.pool, { ...content, bytes }, { ...place, moved: [bytes.buffer] });
}

/** Reads into a separate buffer, which can move to another thread without a copy. `end` is exclusive. */
export async function readStored(
  blobs: BlobStore,
  { projectId, contentDigest }: BlobRef,
  { start, end, signal }: { start: number; end: number; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const range = { start, end: end - 1 };
  const stream = await blobs.readContent({ projectId, contentDigest }, range, LARGE_CHUNK_BYTES);
  if (stream === undefined) return undefined;
  const bytes = new Uint8Array(end - start);
  let length = 0;
  for await (const chunk of stream) {
    signal.throwIfAborted();
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}
