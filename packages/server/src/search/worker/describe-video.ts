import { describePrint, isTelling, toPrintBytes } from '../audio/describe-print.js';
import { readPrintIfPossible } from '../audio/read-print.js';
import { AUDIO_METHOD, type Described, VIDEO_FRAME_METHOD, VIDEO_METHOD } from '../descriptor.js';
import { toDescriptorText } from '../descriptor-text.js';
import { describeRaster } from '../image/describe-raster.js';
import { type Raster, toRaster, turnRasterBy } from '../image/raster.js';
import { toVideoUnit } from '../iscc/content-unit.js';
import { normalise } from '../vector.js';
import { joinStill, spreadOver, toFrameBytes, type VideoFrame } from '../video/frame-list.js';
import { demuxerOf, FRAME_BYTES, FRAME_EDGE } from '../video/frames.js';
import { MAX_SECONDS, PRINT_TIME } from './describe-audio.js';
import type { OpenedContent } from './opened-content.js';
import type { DescribeTask, Description } from './protocol.js';

/** Maximum number of frames in the index. */
const STORED_FRAMES = 16;
/** Maximum number of frames with which the service searches. */
const SEARCHED = { upright: 16, mirrored: 8 };
const MIRRORED = 1;

export function openVideo(fpcalc: string | undefined, task: DescribeTask): OpenedContent {
  return { describe: () => describeVideo(fpcalc, task), readUnit: async () => toVideoUnit(task.signature) };
}

/** Describes a video by its frames, and by its sound if `fpcalc` can read it. */
export function describeVideo(
  fpcalc: string | undefined,
  { bytes, mediaType, frames = new Uint8Array(), isOnlyStored = false }: DescribeTask,
): Description {
  const rasters = readRasters(frames);
  if (rasters.length === 0)
    return {
      kind: 'nothing',
      reason: 'The video cannot be decoded: it is damaged or of a kind that the service does not read.',
    };
  const listed = joinStill(rasters.map((raster) => raster && describeRaster(raster)));
  if (listed.length === 0)
    return { kind: 'nothing', reason: 'It shows too little for a comparison.', hasTooLittle: true };
  const mirrored = isOnlyStored ? [] : listed.map((frame) => mirrorFrame(frame, rasters[frame.start]));
  const keys = spreadOver(listed, STORED_FRAMES);
  const sound = describeSound(fpcalc, { bytes, mediaType });
  const described: Described = {
    method: VIDEO_METHOD,
    vector: meanOf(listed),
    evidence: toFrameBytes(listed),
    turned: [
      ...spreadOver(listed, SEARCHED.upright).map(({ vector }) => vector),
      ...spreadOver(mirrored, SEARCHED.mirrored).map(({ vector }) => vector),
    ],
    ...(isOnlyStored ? {} : { mirrored: toFrameBytes(mirrored) }),
    ...(sound === undefined ? {} : { sound }),
  };
  const parts = keys.map(({ vector }, part) => ({
    part,
    ...toDescriptorText({ method: VIDEO_FRAME_METHOD, vector, evidence: new Uint8Array() }),
  }));
  return {
    kind: 'described',
    described,
    text: toDescriptorText(described),
    further: sound === undefined ? parts : [...parts, toDescriptorText(sound)],
  };
}

function readRasters(frames: Uint8Array): (Raster | undefined)[] {
  return Array.from({ length: Math.floor(frames.length / FRAME_BYTES) }, (_, at) =>
    toRaster({ edge: FRAME_EDGE, rgb: frames.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES) }),
  );
}

function mirrorFrame(frame: VideoFrame, raster: Raster | undefined): VideoFrame {
  const vector = raster === undefined ? new Float32Array() : describeRaster(turnRasterBy(raster, MIRRORED));
  return { ...frame, vector };
}

/** The search does not use the mean, but every descriptor with usable features needs a vector. */
function meanOf(frames: readonly VideoFrame[]): Float32Array {
  const sum = new Float64Array(frames[0]?.vector.length ?? 0);
  for (const { vector } of frames)
    for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value;
  return Float32Array.from(normalise(sum, 1));
}

function describeSound(
  fpcalc: string | undefined,
  { bytes, mediaType }: Pick<DescribeTask, 'bytes' | 'mediaType'>,
): Described | undefined {
  const format = demuxerOf(mediaType);
  if (fpcalc === undefined || format === undefined) return undefined;
  const print = readPrintIfPossible(fpcalc, { bytes, format, maxSeconds: MAX_SECONDS, ...PRINT_TIME });
  if (print === undefined || !isTelling(print)) return undefined;
  const vector = describePrint(print);
  return { method: AUDIO_METHOD, vector, evidence: toPrintBytes(print), turned: [vector] };
}
