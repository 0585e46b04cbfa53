import { describe, expect, it } from 'vitest';
import {
  detectImageMark,
  detectVideoMark,
  drawVideoMark,
  embedImageMark,
  type MarkRaster,
} from '../../src/watermark/index.js';
import { expectToHold, readExamples } from '../support/docstring-examples.js';
import { makePicture, move, sequence } from './pictures.js';

const PAYLOAD = 0x0123_4567_89abn;
const picture = makePicture(1);
const marked: MarkRaster = { ...picture, data: embedImageMark(picture, PAYLOAD) };

describe('an image mark', () => {
  it.each(readExamples(new URL('../../src/watermark/', import.meta.url)))(
    'has examples that state the actual result: $file',
    ({ code }) => expectToHold(code, { detectImageMark, detectVideoMark, drawVideoMark, embedImageMark }),
  );

  it('returns its payload from the marked picture, and no mark from the unmarked picture', () => {
    expect(detectImageMark(marked)).toMatchObject({ payload: PAYLOAD });
    expect(detectImageMark(picture)).toBeUndefined();
  });

  it('gives the same bytes for the same picture and payload', () => {
    expect(embedImageMark(picture, PAYLOAD)).toEqual(marked.data);
    expect(embedImageMark(picture, PAYLOAD + 1n)).not.toEqual(marked.data);
  });

  it('does not change the input, and keeps the alpha channel', () => {
    const data = new Uint8ClampedArray(picture.width * picture.height * 4);
    for (let at = 0; at < picture.width * picture.height; at++) {
      data.set(picture.data.subarray(at * 3, at * 3 + 3), at * 4);
      data[at * 4 + 3] = at % 256;
    }
    const before = data.slice();
    const copy = embedImageMark({ ...picture, channels: 4, data }, PAYLOAD);
    expect(data).toEqual(before);
    expect(copy.filter((_, at) => at % 4 === 3)).toEqual(
      Uint8Array.from(before.filter((_, at) => at % 4 === 3)),
    );
    expect(detectImageMark({ ...picture, channels: 4, data: copy })).toMatchObject({ payload: PAYLOAD });
  });

  it('leaves a peak signal-to-noise ratio of more than 38 dB', () => {
    let squares = 0;
    for (const [at, value] of picture.data.entries()) squares += (value - (marked.data[at] ?? 0)) ** 2;
    expect(10 * Math.log10((255 ** 2 * picture.data.length) / squares)).toBeGreaterThan(38);
  });

  it.each([
    ['half of its size', move(marked, { width: 240, height: 180, scale: 0.5 })],
    ['a crop of 60 % of the area', move(marked, { width: 372, height: 280 })],
    ['a rotation by 3 degrees', move(marked, { width: 480, height: 360, degrees: 3 })],
    ['noise', alter(marked, (value, next) => value + 30 * (next() - 0.5))],
    ['other brightness and contrast', alter(marked, (value) => 0.8 * value + 30)],
  ])('survives %s', (_, altered) => {
    expect(detectImageMark(altered)).toMatchObject({ payload: PAYLOAD });
  });

  it('carries the smallest and the largest payload, and payloads between them', () => {
    for (const payload of [0n, 1n, 2n ** 47n, 2n ** 48n - 1n]) {
      const copy = { ...picture, data: embedImageMark(picture, payload) };
      expect(detectImageMark(copy)?.payload).toBe(payload);
    }
  });

  it('throws RangeError for a payload of more than 48 bits, a negative payload and a raster of the wrong size', () => {
    expect(() => embedImageMark(picture, 2n ** 48n)).toThrow(RangeError);
    expect(() => embedImageMark(picture, -1n)).toThrow(RangeError);
    expect(() => embedImageMark({ ...picture, width: 481 }, PAYLOAD)).toThrow(RangeError);
    expect(() => detectImageMark({ ...picture, width: 481 })).toThrow(RangeError);
  });

  it('is not found in 16 crops of 4 pictures without a mark', () => {
    const next = sequence(7);
    for (let number = 0; number < 16; number++) {
      const width = 160 + Math.floor(300 * next());
      const height = 120 + Math.floor(220 * next());
      expect(detectImageMark(move(makePicture(number % 4), { width, height }))).toBeUndefined();
    }
  });

  it('is found in another picture to which somebody copied it: a mark alone proves no origin', () => {
    const other = makePicture(2);
    const data = Uint8ClampedArray.from(
      other.data,
      (value, at) => value + 1.5 * ((marked.data[at] ?? 0) - (picture.data[at] ?? 0)),
    );
    expect(detectImageMark({ ...other, data })).toMatchObject({ payload: PAYLOAD });
  });

  it.each([
    ['a plain picture', 256, 256],
    ['one pixel', 1, 1],
    ['a line', 3000, 1],
  ])('is not found in %s, and can be embedded there without an error', (_, width, height) => {
    const plain: MarkRaster = { width, height, channels: 1, data: new Uint8Array(width * height).fill(128) };
    expect(detectImageMark(plain)).toBeUndefined();
    expect(embedImageMark(plain, PAYLOAD)).toHaveLength(width * height);
  });
});

function alter(raster: MarkRaster, change: (value: number, next: () => number) => number): MarkRaster {
  const next = sequence(3);
  return { ...raster, data: Uint8ClampedArray.from(raster.data, (value) => change(value, next)) };
}

describe('a mark of a video', () => {
  const size = { width: 480, height: 360 };
  const toGrey = ({ data, ...size }: MarkRaster): MarkRaster => ({
    ...size,
    channels: 1,
    data: data.filter((_, at) => at % 3 === 1),
  });
  const scenes = [1, 2, 3, 4, 5, 6].map((seed) => toGrey(makePicture(seed)));
  const pattern = drawVideoMark(scenes.slice(0, 3), size, PAYLOAD);
  const add = (frame: MarkRaster): MarkRaster => ({
    ...frame,
    data: Uint8ClampedArray.from(frame.data, (value, at) => value + (pattern[at] ?? 0) - 128),
  });

  it('is found in frames other than those for which it was drawn', () => {
    expect(detectVideoMark(scenes.slice(3).map(add))).toMatchObject({ payload: PAYLOAD });
    expect(detectVideoMark(scenes)).toBeUndefined();
  });

  it('is found in frames of half the size with noise', () => {
    const altered = scenes.map((frame) => {
      const { data } = add(frame);
      const colours = Uint8ClampedArray.from(
        { length: 3 * data.length },
        (_, at) => data[Math.floor(at / 3)] ?? 0,
      );
      const small = move({ ...frame, channels: 3, data: colours }, { width: 240, height: 180, scale: 0.5 });
      return toGrey(alter(small, (value, next) => value + 20 * (next() - 0.5)));
    });
    expect(detectVideoMark(altered)).toMatchObject({ payload: PAYLOAD });
  });

  it('has a peak signal-to-noise ratio of 40 to 48 dB in each frame', () => {
    const squares = pattern.reduce((sum, value) => sum + (value - 128) ** 2, 0) / pattern.length;
    const ratio = 20 * Math.log10(255 / Math.sqrt(squares));
    expect(ratio).toBeGreaterThan(40);
    expect(ratio).toBeLessThan(48);
  });

  it('throws RangeError for no frames, a payload of more than 48 bits, and frames of different sizes', () => {
    const other = { width: 2, height: 1, channels: 1, data: new Uint8Array(2) } as const;
    expect(() => drawVideoMark([], size, PAYLOAD)).toThrow(RangeError);
    expect(() => drawVideoMark(scenes, size, 2n ** 48n)).toThrow(RangeError);
    expect(() => detectVideoMark([...scenes, other])).toThrow(RangeError);
  });
});
