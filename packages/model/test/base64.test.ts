import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromBase64, fromBrokenBase64, toBase64 } from '../src/base64.js';

const characters = fc.constantFrom(...'AQgwEIz09+/=- \n\u0080');
const texts = fc.oneof(
  fc.array(characters, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => toBase64(bytes)),
);

/** The bytes of the text by Node, if they have this text. */
function decodeByNode(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? [...bytes] : undefined;
}
const list = (bytes: Uint8Array | undefined) => bytes && [...bytes];

it('each value has one text, as Node writes it', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(list(fromBase64(text))).toEqual(decodeByNode(text));
    }),
    { numRuns: 5_000 },
  );
});

it('broken base64 is base64 with ASCII white space anywhere', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(list(fromBrokenBase64(text))).toEqual(decodeByNode(text.replaceAll(/[\t\n\f\r ]/g, '')));
    }),
    { numRuns: 5_000 },
  );
});

it.each(['AB==', 'AAB=', 'A===', '====', 'AA=A', 'AAA', 'AA-_', 'AA==AAAA'])('rejects %s', (text) => {
  expect(fromBase64(text)).toBeUndefined();
});
