import { describe, expect, it } from 'vitest';
import { readDer } from '../src/der.js';

const read = (...bytes: number[]) => readDer(Uint8Array.from(bytes));
const long = (header: number[], length: number) =>
  Uint8Array.from([...header, ...Array<number>(length).fill(7)]);

describe('readDer', () => {
  it('reads consecutive elements, with short and long lengths', () => {
    expect(read()).toEqual([]);
    const [integer, empty] = read(0x02, 1, 7, 0x05, 0) ?? [];
    expect([integer?.tag, integer?.content, integer?.whole]).toEqual([
      0x02,
      Uint8Array.of(7),
      Uint8Array.of(0x02, 1, 7),
    ]);
    expect([empty?.tag, empty?.content.length]).toEqual([0x05, 0]);
    expect(readDer(long([0x04, 0x81, 0x80], 0x80))?.[0]?.content).toHaveLength(0x80);
    expect(readDer(long([0x30, 0x82, 0x01, 0x00], 0x100))?.[0]?.content).toHaveLength(0x100);
  });

  it.each([
    ['a tag without a length', [0x02]],
    ['fewer bytes than the length', [0x02, 2, 7]],
    ['an indefinite length', [0x30, 0x80, 0, 0]],
    ['a long form for a short length', [0x02, 0x81, 1, 7]],
    ['a leading zero in the length', [0x04, 0x82, 0, 1, 7]],
    ['a length of five bytes', [0x02, 0x85, 0, 0, 0, 0, 1, 7]],
    ['a tag of several bytes', [0x1f, 0x81, 1, 0]],
    ['a correct element before a cut one', [0x05, 0, 0x02]],
  ])('returns undefined for %s', (_name, bytes) => {
    expect(read(...bytes)).toBeUndefined();
  });
});
