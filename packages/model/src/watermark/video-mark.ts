import { detectImageMark, type ImageMark } from './detect-image-mark.js';
import { assertPayload, chooseGeometry, fitTile, forEachChange, type Size } from './embed-image-mark.js';
import { assertSize, blur, createScratch, type MarkRaster, type Plane, toPlane } from './plane.js';
import { toStrength } from './strength.js';

/** The pattern does not change the pixel. */
const UNCHANGED = 128;
/** Frames whose texture determines the strength. */
const TEXTURES = 16;
/** The strength in a video, relative to a picture. Compression weakens a mark more in a video. */
const VIDEO_STRENGTH = 1.35;
/** Radius of the blur that leaves only the scene, in pixels of a frame with a longer side of 512. */
const SCENE_RADIUS = 4;
/** Limit of a detail in grey levels. The details of a mark are smaller, and the edges in a scene are larger. */
const LARGEST_DETAIL = 4;
/** Keeps the rounding error of the mean of the details small. */
const ENLARGED = 8;

/**
 * Returns the change that an image mark makes to every frame of a video: `width * height` bytes, where 128 is no
 * change. A program adds this change to the brightness of each frame. `frames` are some frames of the video, which all
 * have one channel and the same size. This size can be smaller than the size of the video.
 *
 * @example
 * const data = new Uint8Array(256 * 256).map((_, at) => 128 + 60 * Math.sin(at / 9) * Math.sin(at / 2000));
 * const frame = { width: 256, height: 256, channels: 1, data };
 * const pattern = drawVideoMark([frame], { width: 256, height: 256 }, 7n);
 * const marked = { ...frame, data: data.map((value, at) => value + (pattern[at] ?? 0) - 128) };
 * detectVideoMark([marked, marked]).payload; // => 7n
 * detectVideoMark([frame, frame]); // => undefined
 *
 * @throws RangeError if the payload is negative or has more than 48 bits, if there is no frame, or if a frame has a
 * wrong size
 */
export function drawVideoMark(frames: readonly MarkRaster[], size: Size, payload: bigint): Uint8Array {
  assertPayload(payload);
  const plane = toPlane(meanOf(frames));
  const step = Math.ceil(frames.length / TEXTURES);
  const textured = frames.filter((_, at) => at % step === 0).map((frame) => toPlane(frame));
  const canvas = {
    plane,
    strength: toStrength(textured, VIDEO_STRENGTH),
    geometry: chooseGeometry(size, plane),
  };
  const pattern = new Uint8Array(size.width * size.height);
  forEachChange(size, canvas, fitTile(canvas, payload), (pixel, change) => {
    pattern[pixel] = Math.max(0, Math.min(255, Math.round(UNCHANGED + change)));
  });
  return pattern;
}

/**
 * Returns the mark that all frames of a video have in common; undefined if there is none. `frames` are some frames of
 * the video, which all have one channel and the same size, preferably 512 pixels on the longer side. A mark does not
 * prove an origin, because it can be copied to another video.
 *
 * @throws RangeError if there is no frame, or if a frame has a wrong size
 */
export function detectVideoMark(frames: readonly MarkRaster[]): ImageMark | undefined {
  return detectImageMark(meanOf(frames, addDetail));
}

type AddFrame = (sums: Float32Array, frame: Plane, scratch: ReturnType<typeof createScratch>) => void;

/** The mean keeps the mark and weakens scenes that change. */
function meanOf(frames: readonly MarkRaster[], add: AddFrame = addValues): MarkRaster {
  const [first] = frames;
  if (first === undefined) throw new RangeError('The video has no frames.');
  const { width, height } = first;
  const [sums, values] = [new Float32Array(width * height), new Float32Array(width * height)];
  const scratch = createScratch(sums.length);
  for (const frame of frames) {
    assertSize({ ...frame, width, height, channels: 1 });
    values.set(frame.data);
    add(sums, { width, height, values }, scratch);
  }
  const data = Uint8ClampedArray.from(sums, (sum) => Math.round(sum / frames.length));
  return { width, height, channels: 1, data };
}

function addValues(sums: Float32Array, { values }: Plane): void {
  for (const [at, value] of values.entries()) sums[at] = (sums[at] ?? 0) + value;
}

/** Adds the details of a frame, without the brightness and the edges of the scene. */
const addDetail: AddFrame = (sums, frame, scratch) => {
  const scene = blur(frame, SCENE_RADIUS, scratch).values;
  for (let at = 0; at < sums.length; at++) {
    const difference = (frame.values[at] ?? 0) - (scene[at] ?? 0);
    const detail = Math.max(-LARGEST_DETAIL, Math.min(LARGEST_DETAIL, difference));
    sums[at] = (sums[at] ?? 0) + UNCHANGED + ENLARGED * detail;
  }
};
