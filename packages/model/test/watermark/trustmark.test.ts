import { describe, expect, it } from 'vitest';
import {
  TRUSTMARK_CODES,
  type TrustMarkCode,
  toTrustMarkBinding,
} from '../../src/marks/trustmark-binding.js';
import { readTrustMark, writeTrustMark } from '../../src/watermark/trustmark/packet.js';
import { expectToHold, readExamples } from '../support/docstring-examples.js';
import { sequence } from './pictures.js';

/** This payload is from the tests of TrustMark (github.com/adobe/trustmark, rust/src/bits.rs). */
const DATA = '1011011110011000111111000000011111011111011100000110110110111';
const PUBLISHED = `${DATA}000110010101101111010011011000010000001`;

const CODES = Object.keys(TRUSTMARK_CODES) as TrustMarkCode[];
const next = sequence(29);
const bitsOf = (text: string) => Uint8Array.from(text, Number);
const randomBits = (count: number) => Uint8Array.from({ length: count }, () => (next() < 0.5 ? 0 : 1));
const payloadOf = (code: TrustMarkCode) =>
  randomBits(TRUSTMARK_CODES[code].dataBits).reduce((value, bit) => 2n * value + BigInt(bit), 0n);

function damage(bits: Uint8Array, count: number): Uint8Array {
  const places = new Set<number>();
  while (places.size < count) places.add(Math.floor(next() * 96));
  return bits.map((bit, at) => (places.has(at) ? 1 - bit : bit));
}

describe('the bits of a TrustMark', () => {
  it('are those of the published example', () => {
    const payload = BigInt(`0b${DATA}`);
    expect([...writeTrustMark({ code: 'BCH_5', payload })].join('')).toBe(PUBLISHED);
    expect(readTrustMark(bitsOf(PUBLISHED), 'BCH_5')).toEqual({ code: 'BCH_5', payload });
  });

  it.each(CODES)('%s: are read with as many wrong bits as the code corrects', (code) => {
    for (let round = 0; round < 30; round++) {
      const sent = { code, payload: payloadOf(code) };
      const bits = writeTrustMark(sent);
      for (const errors of [0, 1, TRUSTMARK_CODES[code].errors])
        expect(readTrustMark(damage(bits, errors), code)).toEqual(sent);
    }
  });

  it('are read with the usual code if the bits of the version are wrong', () => {
    const sent = { code: 'BCH_SUPER', payload: payloadOf('BCH_SUPER') } as const;
    const bits = writeTrustMark(sent);
    bits[99] = 1;
    expect(readTrustMark(damage(bits, 8), 'BCH_SUPER')).toEqual(sent);
  });

  it('are read with the usual code, even if a wrong version names another code that fits', () => {
    let hidden = 0;
    for (let round = 0; round < 300; round++) {
      const sent = { code: 'BCH_5', payload: payloadOf('BCH_5') } as const;
      const bits = writeTrustMark(sent);
      bits.set([1, 1], 98);
      if (readTrustMark(bits, 'BCH_3')?.code === 'BCH_3') hidden += 1;
      expect(readTrustMark(bits, 'BCH_5')).toEqual(sent);
    }
    expect(hidden).toBeGreaterThan(0);
  });

  it('give no result of the usual code if random, nor the sent payload after one error too many', () => {
    const read = Array.from({ length: 200 }, () => readTrustMark(randomBits(100), 'BCH_SUPER'));
    expect(read.filter((packet) => packet?.code === 'BCH_SUPER')).toEqual([]);
    for (let round = 0; round < 100; round++) {
      const sent = { code: 'BCH_5', payload: payloadOf('BCH_5') } as const;
      expect(readTrustMark(damage(writeTrustMark(sent), 6), 'BCH_5')).not.toEqual(sent);
    }
  });

  it('are not written for a payload out of range, and not read if one bit is missing', () => {
    expect(() => writeTrustMark({ code: 'BCH_SUPER', payload: 1n << 40n })).toThrow(RangeError);
    expect(() => writeTrustMark({ code: 'BCH_5', payload: -1n })).toThrow(RangeError);
    expect(() => readTrustMark(new Uint8Array(99), 'BCH_5')).toThrow(RangeError);
  });

  it('have a soft binding with the version of the code and the payload', () => {
    const binding = toTrustMarkBinding({ alg: 'com.adobe.trustmark.P', code: 'BCH_4' }, 1n);
    expect(binding).toEqual({ alg: 'com.adobe.trustmark.P', value: `2*${'0'.repeat(67)}1` });
  });

  it.each([
    ...readExamples(new URL('../../src/watermark/trustmark/', import.meta.url)),
    ...readExamples(new URL('../../src/marks/', import.meta.url)).filter(({ file }) =>
      file.startsWith('trustmark'),
    ),
  ])('the example in $file gives the stated results', ({ code }) =>
    expectToHold(code, { readTrustMark, toTrustMarkBinding, writeTrustMark }),
  );
});
