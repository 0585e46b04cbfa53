import { type BlobRef, type BlobStore, LARGE_CHUNK_BYTES } from '../../blobs/blob-store.js';
import { type WorkLimit, withinLimit } from '../../platform/work/within-limit.js';
import { demuxerOf } from '../../search/video/frames.js';
import { readFrames } from '../../search/video/read-frames.js';
import { type DecodedVideo, readSignature } from '../../search/video/read-signature.js';
import type { MatchingDeps } from './deps.js';

/**
 * Time limit of the decoder, in ms. It is longer in the background, so that stored descriptors do not depend on the
 * load of the machine: four times the processor time of the decoder. A search has a caller that waits.
 */
export const DECODER_LIMIT_MS = { search: 25_000, background: 120_000 };

/** A recorded content in the store, or a file. */
export type VideoSource = { blobs: BlobStore; stored: BlobRef } | { path: string };

/** A video to decode. `limitMs`: time limit of the decoder. `parts`: parts of the result; by default only frames. */
interface VideoToDecode {
  mediaType: string;
  source: VideoSource;
  limitMs: number;
  parts?: 'frames' | 'signature' | 'both';
}

/**
 * Decodes a video. The caller must have a scheduler slot for videos, which reserves the memory. Returns an empty object
 * when the content is not a video, when no decoder is installed, or when the store lacks the bytes.
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

/** Runs work with a decoder. Aborts it with `Unavailable` after `limitMs`, which includes the wait for its slots. */
export function withinDecoderLimit<T>(
  limit: Pick<WorkLimit, 'signal' | 'limitMs'>,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const message = 'The decoders of the service are busy.';
  return withinLimit({ ...limit, message, recovery: 'Send the request again after Retry-After.' }, run);
}
