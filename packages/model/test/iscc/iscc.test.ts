import { createCipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GEAR } from '../../src/iscc/gear-table.js';
import {
  audioUnit,
  composeIscc,
  createDataHasher,
  createInstanceHasher,
  decodeIscc,
  decomposeIscc,
  describeWork,
  encodeIsccUnit,
  IsccError,
  imageUnit,
  mixedUnit,
  textUnit,
  videoUnit,
} from '../../src/iscc/index.js';
import { createMinhash } from '../../src/iscc/minhash.js';
import { MINHASH_FACTORS, MINHASH_OFFSETS } from '../../src/iscc/minhash-coefficients.js';
import { xxh32 } from '../../src/iscc/xxh32.js';

const keystream = (sizeBytes: number) =>
  createCipheriv('aes-256-ctr', Buffer.alloc(32), Buffer.alloc(16)).update(Buffer.alloc(sizeBytes));

function hashPieces(bytes: Uint8Array, pieceBytes: number): string {
  const hasher = createDataHasher();
  for (let at = 0; at < bytes.length; at += pieceBytes) hasher.update(bytes.subarray(at, at + pieceBytes));
  return encodeIsccUnit(hasher.finish());
}

function differingBits(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, byte, at) => sum + (byte ^ (b[at] ?? 0)).toString(2).replaceAll('0', '').length, 0);
}

it('a Text-Code does not depend on the number of combining marks in a row', () => {
  const words = (count: number) =>
    `The tide${'\u0301'.repeat(count)}${'\u0316'.repeat(count)} comes in and goes out.`;
  const units = [0, 10, 16, 250_000].map((count) => encodeIsccUnit(textUnit(words(count))));
  expect(new Set(units).size).toBe(1);
}, 20_000);

describe('ISCC text', () => {
  const data = { mainType: 'data', digest: keystream(32) } as const;
  const instance = { mainType: 'instance', digest: keystream(64).subarray(32) } as const;

  it('decodes to the encoded unit, for four kinds and every length', () => {
    const kinds = fc.constantFrom(
      { mainType: 'meta' } as const,
      { mainType: 'content', medium: 'video' } as const,
      { mainType: 'semantic', medium: 'mixed' } as const,
      { mainType: 'instance' } as const,
    );
    const words = fc.integer({ min: 1, max: 8 });
    fc.assert(
      fc.property(kinds, words, fc.uint8Array({ minLength: 32, maxLength: 32 }), (kind, count, bytes) => {
        const unit = { ...kind, digest: bytes.slice(0, count * 4) };
        expect(decodeIscc(encodeIsccUnit(unit))).toEqual([unit]);
      }),
    );
  });

  it('decomposes into the units from which it was composed, each cut to 64 bits', () => {
    const meta = describeWork({ name: 'Tide' }).unit;
    const content = textUnit('The tide comes in and the tide goes out.');
    const units = [instance, content, data, meta];
    const expected = [meta, content, data, instance].map((unit) => encodeIsccUnit(unit, 64));
    expect(decomposeIscc(composeIscc(units))).toEqual(expected);
  });

  it('is read in lower case, with hyphens, and without its prefix', () => {
    expect(decodeIscc('eiaq-aaaa-aaaa-aaaa')).toEqual(decodeIscc('ISCC:EIAQAAAAAAAAAAAA'));
  });

  it.each([
    ['no characters', ''],
    ['a character outside base32', 'ISCC:EIAQAAAAAAAAAAA1'],
    ['a body that is too short', 'ISCC:EIAQAAAAAAAA'],
    ['a body that is too long', 'ISCC:EIAQAAAAAAAAAAAAAAAA'],
    ['a header without a body', 'ISCC:EIAQ'],
    ['bits after the last byte', 'ISCC:EADSKDNZNYGUUF5AMFEJLZ5P66CP5YKCOA3X7F36RWE4CIRCBTUWXYZ'],
    ['another version', 'ISCC:EIIQAAAAAAAAAAAA'],
    ['the main type of an identifier', 'ISCC:MAAQAAAAAAAAAAAA'],
    ['an ISCC-CODE with content of a reserved medium', 'ISCC:KUAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('is rejected with %s', (_what, text) => {
    expect(() => decodeIscc(text)).toThrow(IsccError);
  });

  it.each([
    ['without an Instance-Code', [data]],
    ['with two units of a type', [data, data, instance]],
    ['with a unit of 32 bits', [{ ...data, digest: keystream(4) }, instance]],
    [
      'with different media',
      [
        data,
        instance,
        textUnit('a'),
        { mainType: 'semantic', medium: 'image', digest: keystream(8) } as const,
      ],
    ],
  ])('cannot be composed %s', (_what, units) => {
    expect(() => composeIscc(units)).toThrow(IsccError);
  });
});

describe('the hashes of ISCC', () => {
  it.each([
    ['', 0x02cc5d05],
    ['a', 0x550d7456],
    ['abc', 0x32d153ff],
    ['Nobody inspects the spammish repetition', 0xe2293b2f],
  ])('include the XXH32 of %j', (text, digest) => {
    expect(xxh32(new TextEncoder().encode(text))).toBe(digest);
  });

  it('use a gear table from the AES-256-CTR key stream', () => {
    const words = Array.from({ length: 256 }, (_, at) => keystream(1024).readUInt32BE(at * 4) & 0x7fffffff);
    expect(Array.from(GEAR)).toEqual(words);
  });

  it('have the same minima as a computation with exact integers', () => {
    const exact = (feature: number, at: number) => {
      const sum = (MINHASH_FACTORS[at] ?? 0n) * BigInt(feature) + (MINHASH_OFFSETS[at] ?? 0n);
      return Number((BigInt.asUintN(64, sum) % (2n ** 61n - 1n)) & 0xffff_ffffn);
    };
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { minLength: 1, maxLength: 5 }),
        (features) => {
          const minhash = createMinhash();
          for (const feature of features) minhash.add(feature);
          const minima = MINHASH_FACTORS.map((_, at) =>
            Math.min(...features.map((feature) => exact(feature, at))),
          );
          const bits = [0, 1, 2, 3].flatMap((place) => minima.map((value) => (value >>> place) & 1)).join('');
          expect(BigInt(`0x${Buffer.from(minhash.digest()).toString('hex')}`)).toBe(BigInt(`0b${bits}`));
        },
      ),
    );
  });
});

describe('the creation of ISCC units', () => {
  it('yields the same Data-Code for pieces of different sizes', () => {
    const bytes = keystream(100_000);
    const whole = hashPieces(bytes, bytes.length);
    for (const pieceBytes of [1, 255, 1024, 8192, 8193]) expect(hashPieces(bytes, pieceBytes)).toBe(whole);
  });

  it('yields a similar Data-Code and a different Instance-Code after an insertion', () => {
    const bytes = keystream(200_000);
    const changed = Buffer.concat([
      bytes.subarray(0, 50_000),
      Buffer.from('inserted'),
      bytes.subarray(50_000),
    ]);
    const [before, after] = [bytes, changed].map((content) => {
      const [data, instance] = [createDataHasher(), createInstanceHasher()];
      data.update(content);
      instance.update(content);
      return { data: data.finish().digest, instance: instance.finish().digest };
    });
    const none = new Uint8Array();
    expect(differingBits(before?.data ?? none, after?.data ?? none)).toBeLessThan(20);
    expect(differingBits(before?.instance ?? none, after?.instance ?? none)).toBeGreaterThan(80);
  });

  it('yields the same Audio-Code for signed and unsigned words', () => {
    expect(audioUnit([0xffff_ffff, 7])).toEqual(audioUnit([-1, 7]));
  });

  it.each([
    ['a picture of another size', () => imageUnit(new Uint8Array(1023))],
    ['a film without frames', () => videoUnit([])],
    ['a frame of another length', () => videoUnit([[1, 2, 3]])],
    ['a single Content-Code', () => mixedUnit([textUnit('a')])],
    ['a unit that is no Content-Code', () => mixedUnit([textUnit('a'), describeWork({ name: 'a' }).unit])],
    ['an empty name', () => describeWork({ name: ' \u0000\n ' })],
    ['metadata over the limit', () => describeWork({ name: 'a', meta: { text: 'x'.repeat(128_000) } })],
    ['metadata that is no data URL', () => describeWork({ name: 'a', meta: 'https://example.org/' })],
    ['a data URL with broken base64', () => describeWork({ name: 'a', meta: 'data:text/plain;base64,@' })],
  ])('throws IsccError for %s', (_what, run) => {
    expect(run).toThrow(IsccError);
  });
});
