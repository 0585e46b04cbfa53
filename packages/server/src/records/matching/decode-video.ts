import type { BlobRef, BlobStore } from '../../blobs/blob-store.js';
import type { Scheduler, Turn } from '../../platform/work/scheduler.js';
import { demuxerOf } from '../../search/video/frames.js';
import { readFrames } from '../../search/video/read-frames.js';
import type { MatchingDeps } from './deps.js';

/** Memory of the decoder, in bytes. */
const DECODER_BYTES = 256 * 2 ** 20;

/** Longest time of the decoder, in ms. Stored frames should not depend on the load of the machine. */
const LIMIT_MS = { search: 25_000, background: 60_000 };

export interface DecodeDeps {
  matching: Pick<MatchingDeps, 'ffmpeg'>;
  scheduler: Scheduler;
}

/** The caller of a decoder in the fair queue. */
export type DecoderTurn = Pick<Turn, 'projectId' | 'isBackground'> & { signal: AbortSignal };

/** A recorded content in the store, or a file. */
export type VideoSource = { blobs: BlobStore; stored: BlobRef } | { path: string };

/**
 * Decodes the frames of a video when a slot for decoders is free. Returns undefined for content that is no video, or
 * without a decoder. Rejects with `Unavailable` after `WORK_MAX_WAIT_MS`.
 */
export async function decodeVideo(
  { matching: { ffmpeg }, scheduler }: DecodeDeps,
  { mediaType, source }: { mediaType: string; source: VideoSource },
  turn: DecoderTurn,
): Promise<Uint8Array | undefined> {
  const demuxer = demuxerOf(mediaType);
  if (ffmpeg === undefined || demuxer === undefined) return undefined;
  const limitMs = turn.isBackground === true ? LIMIT_MS.background : LIMIT_MS.search;
  return scheduler.run({ ...turn, kind: 'video', memoryBytes: DECODER_BYTES }, async (signal) => {
    const content = await openSource(source);
    return content === undefined ? undefined : readFrames(ffmpeg, { content, demuxer, signal, limitMs });
  });
}

async function openSource(source: VideoSource): Promise<string | AsyncIterable<Uint8Array> | undefined> {
  return 'path' in source ? source.path : source.blobs.readContent(source.stored);
}
