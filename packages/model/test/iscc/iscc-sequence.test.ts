import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countDifferentBits,
  decodeIsccSequence,
  encodeIsccSequence,
  IsccError,
  textUnit,
} from '../../src/iscc/index.js';

const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('an ISCC-SEQ', () => {
  it('decodes to the encoded units, for four kinds and every length', () => {
    const kinds = fc.constantFrom(
      { mainType: 'meta' } as const,
      { mainType: 'content', medium: 'image' } as const,
      { mainType: 'data' } as const,
      { mainType: 'instance' } as const,
    );
    const units = fc.array(
      fc.record({
        kind: kinds,
        words: fc.integer({ min: 1, max: 8 }),
        bytes: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(units, (drawn) => {
        const sequence = drawn.map(({ kind, words, bytes }) => ({
          ...kind,
          digest: bytes.slice(0, words * 4),
        }));
        expect(decodeIsccSequence(encodeIsccSequence(sequence))).toEqual(sequence);
      }),
    );
  });

  it('has a header of two bytes for each unit: one of main type and subtype, one of version and length', () => {
    const unit = textUnit('A text of some length, for its code.');
    expect(encodeIsccSequence([unit]).subarray(0, 2)).toEqual(Uint8Array.of(0x20, 0x07));
  });

  it.each([
    ['no unit', ''],
    ['a header with another form', '28000100000000'],
    ['a length beyond 256 bits', `2008${'00'.repeat(36)}`],
    ['a unit that is cut off', '3000000000'],
    ['a byte after the last unit', '30000000000000'],
    ['an ISCC-CODE', `5005${'57'.repeat(32)}`],
    ['an ISCC-ID', '60100000000000000000'],
  ])('is rejected with %s', (_, hex) => {
    expect(() => decodeIsccSequence(fromHex(hex))).toThrow(IsccError);
  });
});

it('countDifferentBits counts the different bits over the length of the shorter digest', () => {
  expect(countDifferentBits(Uint8Array.of(0xff, 1), Uint8Array.of(0x0f))).toBe(4);
  expect(countDifferentBits(Uint8Array.of(0, 0x80), Uint8Array.of(1, 0x01))).toBe(3);
});
