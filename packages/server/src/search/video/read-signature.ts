import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { withTemporaryDirectory } from '../../platform/files/temporary-file.js';
import { runDecoder } from '../run-decoder.js';
import { MAX_FRAMES_BYTES } from './frames.js';
import {
  FRAME_FLAGS,
  readFrames,
  toInputFlags,
  toWholeFrames,
  type VideoToRead,
  withVideoFile,
} from './read-frames.js';

/** Frames per second, as in the reference implementation. */
const SIGNED_RATE = 5;
const MAX_CODED_SECONDS = 30 * 60;
/** FFmpeg reads this many seconds more, so the signature of a longer video exceeds `MAX_SIGNATURE_BYTES`. */
const FURTHER_SECONDS = 10;
/** Largest video signature, in bytes. A frame has 86 bytes, and 45 frames have 168 more. */
const MAX_SIGNATURE_BYTES = SIGNED_RATE * MAX_CODED_SECONDS * 90;
const MAX_FILE_BYTES = 2 ** 20;
const NAME = 'signature';

/** The filter writes the signature to a file in the current directory. */
const SIGNATURE_FLAGS = [
  ...['-an', '-sn', '-dn', '-vf', `fps=fps=${SIGNED_RATE},signature=format=binary:filename=${NAME}`],
  ...['-f', 'null', '-'],
];

/** `frames`: as from `readFrames`. `signature`: MPEG-7 video signature of the whole video. */
export interface DecodedVideo {
  frames?: Uint8Array;
  signature?: Uint8Array;
}

/**
 * Computes the MPEG-7 video signature of a whole video, and on request decodes its frames in the same process. Uses the
 * same frames as the reference implementation (iscc-sdk, `video_mp7sig_extract`). There is no signature if the video is
 * too long, decoding fails or exceeds a limit, or FFmpeg lacks the filter.
 */
export function readSignature(
  ffmpeg: string,
  { withFrames, ...video }: VideoToRead & { withFrames: boolean },
): Promise<DecodedVideo> {
  return withVideoFile(video, async (content) => {
    const startedMs = performance.now();
    const read = await decode(ffmpeg, { ...video, content, withFrames });
    if (read.signature !== undefined || read.frames?.length !== 0) return read;
    // Without the filter, FFmpeg ends before it decodes a frame.
    const limitMs = Math.max(1, video.limitMs - (performance.now() - startedMs));
    return { frames: await readFrames(ffmpeg, { ...video, content, limitMs }) };
  });
}

function decode(
  ffmpeg: string,
  { content, demuxer, signal, limitMs, withFrames }: VideoToRead & { content: string; withFrames: boolean },
): Promise<DecodedVideo> {
  const command = [
    ...[ffmpeg, '-max_error_rate', '0'],
    ...toInputFlags(content, demuxer, MAX_CODED_SECONDS + FURTHER_SECONDS),
    ...(withFrames ? FRAME_FLAGS : []),
    ...SIGNATURE_FLAGS,
  ];
  // `runDecoder` kills the decoder at `maxBytes`. One more byte lets it end by itself.
  const bounds = { signal, limitMs, maxBytes: MAX_FRAMES_BYTES + 1 };
  return withTemporaryDirectory('video', async (directory) => {
    const { output, hasEnded } = await runDecoder(command, bounds, {
      directory,
      maxFileBytes: MAX_FILE_BYTES,
    });
    const signature = hasEnded ? await readBounded(path.join(directory, NAME)) : undefined;
    return {
      ...(withFrames && { frames: toWholeFrames(output) }),
      ...(signature !== undefined && { signature }),
    };
  });
}

/** Returns undefined if there is no signature or if it is too large. */
async function readBounded(file: string): Promise<Uint8Array | undefined> {
  try {
    const { size } = await stat(file);
    return size > MAX_SIGNATURE_BYTES ? undefined : await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
