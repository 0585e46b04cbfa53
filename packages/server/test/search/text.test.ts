import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Described } from '../../src/search/descriptor.js';
import { overlap } from '../../src/search/text/min-hash.js';
import { readWords } from '../../src/search/text/words.js';
import { dot } from '../../src/search/vector.js';
import { describeText } from '../../src/search/worker/describe-text.js';

const SYLLABLES = 'ra lo mi ten sa vor kel du nim pa'.split(' ');

function makeText(number: number, sentences = 60): string {
  let state = number * 7919 + 13;
  const next = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return (state >>> 16) % below;
  };
  const word = () =>
    Array.from({ length: 2 + next(2) }, () => SYLLABLES[next(SYLLABLES.length)] ?? '').join('');
  return Array.from(
    { length: sentences },
    () => `The ${word()} ${word()} a ${word()} near the ${word()}.`,
  ).join(' ');
}

function describeIt(text: string | Uint8Array): Described {
  const description = describeText(typeof text === 'string' ? Buffer.from(text) : text);
  if (description.kind === 'nothing') throw new Error(description.reason);
  return description.described;
}

const TEXT = makeText(1);
const WORDS = TEXT.split(' ');

describe('the description of a text', () => {
  it.each([
    ['another case and other blanks', TEXT.toUpperCase().replaceAll(' ', '\n  ')],
    ['dashes instead of full stops', TEXT.replaceAll('.', ' –')],
    ['every twentieth word left out', WORDS.filter((_, at) => at % 20 !== 0).join(' ')],
    ['its first half alone', TEXT.slice(0, TEXT.length / 2)],
    ['its sentences in another order', TEXT.split('. ').toReversed().join('. ')],
    ['twice the text', `${TEXT} ${TEXT}`],
  ])('stays similar after a change: %s', (_change, changed) => {
    const [a, b] = [describeIt(TEXT), describeIt(changed)];
    expect(dot(a.vector, b.vector)).toBeGreaterThan(0.7);
    expect(overlap(a.evidence, b.evidence)).toBeGreaterThan(0.3);
  });

  it('is distant for another text of the same language', () => {
    const [a, b] = [describeIt(TEXT), describeIt(makeText(2))];
    expect(overlap(a.evidence, b.evidence)).toBeLessThan(0.3);
  });

  it('is the same for UTF-8 and for UTF-16 with its byte order mark', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(TEXT, 'utf16le')]);
    const turned = Buffer.from(utf16).swap16();
    for (const bytes of [utf16, turned]) expect(describeIt(bytes)).toEqual(describeIt(TEXT));
  });

  it('has the same words for ASCII as for the same text in UTF-16', () => {
    const text = fc.string({ unit: 'binary-ascii', maxLength: 200 });
    const check = fc.property(text, (ascii) => {
      const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(ascii, 'utf16le')]);
      expect(readWords(Buffer.from(ascii))).toEqual(readWords(utf16));
    });
    fc.assert(check, { numRuns: 300 });
  });

  it('normalises ligatures and fractions completely, but reads at most twice the length of the text', () => {
    const wordsOf = (text: string) => String.fromCharCode(...readWords(Buffer.from(text)).units);
    expect(wordsOf('A ﬁne ½ litre ﬀ')).toBe('a fine 1 2 litre ff');
    expect(readWords(Buffer.from('\ufdfa'.repeat(1_000))).units.length).toBeLessThanOrEqual(2_000);
  });

  it.each([
    ['sentences', TEXT, 'c1c25f51c72a02b2105c8592023fedadd01322794460ba34fe74cfa61d3c4291'],
    [
      'one word again and again',
      'again '.repeat(40),
      '971a22c69f04ad79c73d085eb38aff1368c2264cf7c4a7e861b7543db8b494ec',
    ],
    [
      'letters beyond ASCII, some of two UTF-16 units',
      `${'日本語 한국어 \u{1f600}\u{10400} ÄÖ ﬁ '.repeat(20)}`,
      '3e4b16e3bdd59665b49b001fe5bc36c44296f67cb865b049b3d9e2c811f6158c',
    ],
    [
      'about 176,000 characters',
      makeText(3, 4_000),
      '0ba7022b61d8f72d890acfdf0fcc48ec15e96ceacd4018d272bf0714f08bb10f',
    ],
  ])('of %s equals the description that earlier versions stored', (_which, text, digest) => {
    const { vector, evidence } = describeIt(text);
    const bytes = Buffer.concat([Buffer.from(vector.buffer), evidence]);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest);
  });

  it('does not sort very long runs of combining marks, because this would take a minute', () => {
    const inBlocks = (count: number) => `a${'\u0301'.repeat(count)}${'\u0316'.repeat(count)} last words`;
    const inTurns = (count: number) => `a${'\u0301\uff9e'.repeat(count)} last words`;
    for (const toText of [inBlocks, inTurns]) {
      const [few, many] = [15, 250_000].map((count) => readWords(Buffer.from(toText(count))));
      expect(many?.ends.length).toBe(few?.ends.length);
    }
    const half = 'ｶﾞｷﾞ ﾊﾟ';
    expect(readWords(Buffer.from(half))).toEqual(readWords(Buffer.from(half.normalize('NFKC'))));
  }, 20_000);

  it('is absent for too few words, for none, and for bytes that are not text', () => {
    for (const bytes of ['a b c d e f g h i j k l m n o p q r s', '', '\u0000'.repeat(500), '!!! ???']) {
      expect(describeText(Buffer.from(bytes)).kind).toBe('nothing');
    }
    expect(() => describeText(Buffer.alloc(10_000, 0xfe))).not.toThrow();
  });
});
