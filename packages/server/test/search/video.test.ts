import { describe, expect, it } from 'vitest';
import { dot, normalise } from '../../src/search/vector.js';
import { compareVideos } from '../../src/search/video/compare-videos.js';
import { fromFrameBytes, joinStill, MAX_FRAMES, toFrameBytes } from '../../src/search/video/frame-list.js';
import { FRAME_BYTES, FRAME_EDGE, MAX_SAMPLES } from '../../src/search/video/frames.js';
import { describeVideo } from '../../src/search/worker/describe-video.js';

/** The vectors of two scenes have a cosine near 0. */
function scene(number: number): Float32Array {
  let state = (number + 1) * 2654435761;
  const values = Array.from({ length: 512 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  return Float32Array.from(normalise(values, 1));
}

const scenes = (from: number, count: number) => Array.from({ length: count }, (_, at) => scene(from + at));
const listOf = (samples: readonly (Float32Array | undefined)[]) => toFrameBytes(joinStill(samples));

function frame(number: number): Uint8Array {
  const bytes = new Uint8Array(FRAME_BYTES);
  const vector = scene(number);
  for (let pixel = 0; pixel < FRAME_EDGE * FRAME_EDGE; pixel++) {
    const square = ((pixel >> 4) % 8) | ((pixel >> 11) << 3);
    for (let channel = 0; channel < 3; channel++)
      bytes[pixel * 3 + channel] = 128 + 1_200 * (vector[square * 3 + channel] ?? 0);
  }
  return bytes;
}

const describeFrames = (frames: readonly Uint8Array[], isOnlyStored = false) =>
  describeVideo(undefined, {
    kind: 'describe',
    as: 'video',
    mediaType: 'video/mp4',
    bytes: new Uint8Array(),
    frames: Buffer.concat(frames),
    isOnlyStored,
  });

describe('the frames of a video', () => {
  it('are joined while the scene does not change, and frames without features are left out', () => {
    const samples = [scene(1), scene(1), undefined, scene(1), scene(2), scene(2)];
    expect(joinStill(samples).map(({ start, samples }) => [start, samples])).toEqual([
      [0, 2],
      [3, 1],
      [4, 2],
    ]);
  });

  it('are at most MAX_FRAMES, and their numbers of samples add up to all samples of the video', () => {
    const frames = joinStill(scenes(0, MAX_SAMPLES));
    expect(frames.length).toBe(MAX_FRAMES);
    expect(frames.reduce((sum, { samples }) => sum + samples, 0)).toBe(MAX_SAMPLES);
  });

  it('have mirrored vectors for a search only, with the same descriptors as for storage', () => {
    const frames = [frame(1), frame(2), frame(3)];
    const [searched, stored] = [describeFrames(frames), describeFrames(frames, true)];
    if (searched.kind === 'nothing' || stored.kind === 'nothing') throw new Error('not described');
    expect([stored.text, stored.further]).toEqual([searched.text, searched.further]);
    expect([searched.described.turned.length, stored.described.turned.length]).toEqual([6, 3]);
    expect([searched.described.mirrored?.length, stored.described.mirrored]).toEqual([3 * 516, undefined]);
  });

  it('keep their positions, their numbers of samples and nearly their vectors when they are stored', () => {
    const frames = joinStill([undefined, scene(1), scene(2), scene(2)]);
    const read = fromFrameBytes(toFrameBytes(frames));
    expect(read.map(({ start, samples }) => [start, samples])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    for (const [at, { vector }] of read.entries())
      expect(dot(vector, frames[at]?.vector ?? [])).toBeGreaterThan(0.999);
  });
});

describe('the agreement of two videos', () => {
  it('is 1 if one is a part of the other, and 0 if they have no common scene', () => {
    const whole = listOf(scenes(0, 40));
    expect(compareVideos(listOf(scenes(11, 17)), whole).agreement).toBe(1);
    expect(compareVideos(whole, listOf(scenes(11, 17))).agreement).toBe(1);
    expect(compareVideos(listOf(scenes(100, 17)), whole).agreement).toBe(0);
    expect(compareVideos(new Uint8Array(), whole).agreement).toBe(0);
  });

  it('is the fraction of the shorter video that a common opening covers', () => {
    const [one, other] = [
      [...scenes(0, 10), ...scenes(100, 30)],
      [...scenes(0, 10), ...scenes(200, 40)],
    ];
    expect(compareVideos(listOf(one), listOf(other)).agreement).toBeCloseTo(10 / 40, 5);
  });

  it('is a fraction of the shorter video, not of the overlap, if one begins with the end of the other', () => {
    const [one, other] = [
      [...scenes(0, 10), ...scenes(100, 30)],
      [...scenes(200, 40), ...scenes(0, 10)],
    ];
    expect(compareVideos(listOf(one), listOf(other)).agreement).toBeCloseTo(10 / 40, 5);
  });

  it('ignores black frames', () => {
    const blackFirst = (count: number) => [
      ...Array.from({ length: count }, () => undefined),
      ...scenes(0, 10),
    ];
    expect(compareVideos(listOf(blackFirst(20)), listOf(blackFirst(12))).agreement).toBe(1);
    const others = [...Array.from({ length: 20 }, () => undefined), ...scenes(50, 10)];
    expect(compareVideos(listOf(blackFirst(20)), listOf(others)).agreement).toBe(0);
  });

  it('is at most a half if fewer than three scenes are equal, such as in two videos of one still picture', () => {
    const still = Array.from({ length: 20 }, () => scene(1));
    expect(compareVideos(listOf(still), listOf(still)).agreement).toBe(0.5);
    expect(
      compareVideos(listOf([...still, ...scenes(5, 2)]), listOf([...still, ...scenes(5, 2)])).agreement,
    ).toBe(1);
  });
});

describe('the description of a video', () => {
  it('has 120 frames, and 16 frames with their own descriptors, for a long video that always moves', () => {
    const found = describeFrames(Array.from({ length: MAX_SAMPLES }, (_, at) => frame(at)));
    if (found.kind === 'nothing') throw new Error(found.reason);
    expect(found.described.evidence.length).toBe(MAX_FRAMES * 516);
    expect(found.further?.map(({ part }) => part)).toEqual(Array.from({ length: 16 }, (_, part) => part));
    expect(found.described.turned.length).toBe(24);
  });

  it.each([
    ['It shows too little for a comparison.', [new Uint8Array(FRAME_BYTES)], { hasTooLittle: true }],
    [
      'The video cannot be decoded: it is damaged or of a kind that the service does not read.',
      [new Uint8Array(100)],
      {},
    ],
  ])('is absent, with the reason: %s', (reason, frames, more) => {
    expect(describeFrames(frames)).toEqual({ kind: 'nothing', reason, ...more });
  });
});
