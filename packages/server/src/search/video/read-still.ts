import { type DecoderBounds, runDecoder } from '../run-decoder.js';
import { toInputFlags } from './read-frames.js';

const SIDE = 256;
/** Frames among which FFmpeg chooses the most typical one, so that it is seldom black. */
const CHOICE = 50;
const MAX_SECONDS = 10;
const MAX_BYTES = 2 ** 20;

interface VideoStill extends Omit<DecoderBounds, 'maxBytes'> {
  path: string;
  demuxer: string;
}

/** Decodes a frame from the beginning of a video as PNG. The result is empty if no frame was decoded. */
export async function readStill(
  ffmpeg: string,
  { path, demuxer, ...bounds }: VideoStill,
): Promise<Uint8Array<ArrayBuffer>> {
  const scale = `scale=${SIDE}:${SIDE}:force_original_aspect_ratio=decrease:flags=area`;
  const flags = [
    ...toInputFlags(path, demuxer, MAX_SECONDS),
    ...['-map', '0:v:0', '-an', '-sn', '-dn', '-vf', `${scale},thumbnail=${CHOICE}`],
    ...['-frames:v', '1', '-pix_fmt', 'rgb24', '-c:v', 'png', '-f', 'image2pipe', 'pipe:1'],
  ];
  return (await runDecoder([ffmpeg, ...flags], { ...bounds, maxBytes: MAX_BYTES })).output;
}
