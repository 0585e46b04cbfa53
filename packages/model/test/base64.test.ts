import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromBase64, fromBrokenBase64, toBase64 } from '../src/base64.js';

const characters = fc.constantFrom(...'AQgwEIz09+/=- \n\u0080');
const texts = fc.oneof(
  fc.array(characters, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => toBase64(bytes)),
);

/** Returns undefined if Node writes another text for these bytes. */
function decodeByNode(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? [...bytes] : undefined;
}
const list = (bytes: Uint8Array | undefined) => bytes && [...bytes];

it('encodes bytes and parts of a buffer as Node does, and decodes the result', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 5 }), (bytes, from) => {
      const part = bytes.subarray(from);
      expect(toBase64(part)).toBe(Buffer.from(part).toString('base64'));
      expect(list(fromBase64(toBase64(part)))).toEqual([...part]);
    }),
    { numRuns: 2_000 },
  );
});

it.each([65_536, 100_001, 3 * 2 ** 20 + 2])('encodes %i bytes as Node does', (length) => {
  const bytes = Uint8Array.from({ length }, (_, place) => (place * 2_654_435_761) >>> 24);
  expect(toBase64(bytes) === Buffer.from(bytes).toString('base64')).toBe(true);
});

it('decodes a text only if Node writes the same text for its bytes', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(list(fromBase64(text))).toEqual(decodeByNode(text));
    }),
    { numRuns: 5_000 },
  );
});

it('decodes base64 with line breaks and other ASCII white space like the same text without them', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(list(fromBrokenBase64(text))).toEqual(decodeByNode(text.replaceAll(/[\t\n\f\r ]/g, '')));
    }),
    { numRuns: 5_000 },
  );
});

it.each(['AB==', 'AAB=', 'A===', '====', 'AA=A', 'AAA', 'AA-_', 'AA==AAAA'])(
  'fromBase64 returns undefined for %s',
  (text) => {
    expect(fromBase64(text)).toBeUndefined();
  },
);
