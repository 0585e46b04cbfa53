import { describe, expect, it } from 'vitest';
import { IsccError, parseVideoSignature } from '../../src/iscc/index.js';

type Field = [value: number, bits: number];

/** The highest bit of each field is first. */
function write(fields: readonly Field[]): Uint8Array {
  const bits = fields.map(([value, count]) => value.toString(2).padStart(count, '0')).join('');
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}

const header = (frames: number, segments: number): Field[] => [
  ...([
    [1, 32],
    [1, 1],
    [0, 32],
    [319, 16],
    [239, 16],
    [0, 32],
    [frames, 32],
    [5, 16],
  ] as Field[]),
  ...([
    [1, 1],
    [0, 32],
    [9, 32],
    [segments, 32],
  ] as Field[]),
];
const SEGMENT: Field[] = [[0, 32], [44, 32], [1, 1], [0, 32], [44, 32], ...Array<Field>(5).fill([0, 243])];
const frame = (bytes: readonly number[]): Field[] => [
  ...([
    [1, 1],
    [7, 32],
    [200, 8],
    [0, 40],
  ] as Field[]),
  ...bytes.map((byte): Field => [byte, 8]),
];
const flat = (byte: number) => Array<number>(76).fill(byte);

const FRAMES = [flat(0), flat(242), [...flat(121).slice(1), 5 * 27 + 2]];
const FIELDS = [...header(3, 1), ...SEGMENT, [0, 1] as Field, ...FRAMES.flatMap(frame)];
const SIGNATURE = write(FIELDS);

function withField(index: number, value: number): Uint8Array {
  return write(FIELDS.map(([old, bits], at) => [at === index ? value : old, bits]));
}

describe('a video signature', () => {
  it('has 380 values from 0 to 2 for each frame, the highest digit of a byte first', () => {
    const frames = parseVideoSignature(SIGNATURE);
    const [zeros, twos, mixed, ...others] = frames;
    expect(others).toEqual([]);
    expect(zeros).toEqual(Array(380).fill(0));
    expect(twos).toEqual(Array(380).fill(2));
    expect(mixed).toEqual([...Array(375).fill(1), 1, 2, 0, 0, 2]);
    expect([...frames]).toHaveLength(3);
    expect([...parseVideoSignature(write([...header(0, 0), [0, 1]]))]).toEqual([]);
  });

  const firstFrameAt = header(3, 1).length + SEGMENT.length + 1;
  it.each([
    ['no bytes', new Uint8Array()],
    ['half a header', SIGNATURE.subarray(0, 20)],
    ['one byte less', SIGNATURE.subarray(0, -1)],
    ['one byte more', Uint8Array.from([...SIGNATURE, 0])],
    ['two spatial regions', withField(0, 2)],
    ['no position of the region', withField(1, 0)],
    ['no times', withField(8, 0)],
    ['the largest number of frames', withField(6, 0xffff_ffff)],
    ['the largest number of segments', withField(11, 0xffff_ffff)],
    ['one frame less in the header', withField(6, 2)],
    ['compressed frames', withField(firstFrameAt - 1, 1)],
    ['a frame without a time', withField(firstFrameAt, 0)],
    ['a byte that does not encode five values', withField(firstFrameAt + 4, 243)],
    [
      'bits after the last frame',
      SIGNATURE.map((byte, at) => (at === SIGNATURE.length - 1 ? byte | 1 : byte)),
    ],
    ['text', new TextEncoder().encode('<?xml version="1.0" encoding="ASCII" ?><Mpeg7>')],
  ])('is refused with %s', (_what, bytes) => {
    expect(() => parseVideoSignature(bytes)).toThrow(IsccError);
  });
});
