import { type BlobRef, type BlobStore, LARGE_CHUNK_BYTES } from '../../blobs/blob-store.js';
import { type WorkLimit, withinLimit } from '../../platform/work/within-limit.js';
import { demuxerOf } from '../../search/video/frames.js';
import { readFrames } from '../../search/video/read-frames.js';
import { type DecodedVideo, readSignature } from '../../search/video/read-signature.js';
import type { MatchingDeps } from './deps.js';

/**
 * The time limit of the decoder in ms. In the background, the limit is so long that stored descriptors do not depend on
 * the load of the machine.
 */
export const DECODER_LIMIT_MS = { search: 25_000, background: 120_000 };

export type VideoSource = { blobs: BlobStore; stored: BlobRef } | { path: string };

/** `limitMs`: time limit of the decoder. `parts`: by default only frames. */
interface VideoToDecode {
  mediaType: string;
  source: VideoSource;
  limitMs: number;
  parts?: 'frames' | 'signature' | 'both';
}

/**
 * The caller must have a slot for videos, which reserves the memory. Returns `{}` for other content, and without a
 * decoder or bytes.
 */
export async function decodeVideo(
  { ffmpeg }: Pick<MatchingDeps, 'ffmpeg'>,
  { mediaType, source, limitMs, parts = 'frames' }: VideoToDecode,
  signal: AbortSignal,
): Promise<DecodedVideo> {
  const demuxer = demuxerOf(mediaType);
  if (ffmpeg === undefined || demuxer === undefined) return {};
  const content = await openSource(source);
  if (content === undefined) return {};
  const video = { content, demuxer, signal, limitMs };
  if (parts === 'frames') return { frames: await readFrames(ffmpeg, video) };
  return readSignature(ffmpeg, { ...video, withFrames: parts === 'both' });
}

async function openSource(source: VideoSource): Promise<string | AsyncIterable<Uint8Array> | undefined> {
  return 'path' in source
    ? source.path
    : source.blobs.readContent(source.stored, undefined, LARGE_CHUNK_BYTES);
}

/** Aborts the work with `Unavailable` after `limitMs`, which includes the wait for a slot. */
export function withinDecoderLimit<T>(
  limit: Pick<WorkLimit, 'signal' | 'limitMs'>,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const message = 'The decoders of the service are busy.';
  return withinLimit({ ...limit, message, recovery: 'Send the request again after Retry-After.' }, run);
}
