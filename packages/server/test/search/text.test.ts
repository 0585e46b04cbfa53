import { describe, expect, it } from 'vitest';
import type { Described } from '../../src/search/descriptor.js';
import { overlap } from '../../src/search/text/min-hash.js';
import { dot } from '../../src/search/vector.js';
import { describeText } from '../../src/search/worker/describe-text.js';

const SYLLABLES = 'ra lo mi ten sa vor kel du nim pa'.split(' ');

/** A text of sentences that its number decides. */
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
    ['no marks', TEXT.replaceAll('.', ' –')],
    ['every twentieth word left out', WORDS.filter((_, at) => at % 20 !== 0).join(' ')],
    ['its first half alone', TEXT.slice(0, TEXT.length / 2)],
    ['its sentences in another order', TEXT.split('. ').toReversed().join('. ')],
    ['twice the text', `${TEXT} ${TEXT}`],
  ])('stays near for %s', (_change, changed) => {
    const [a, b] = [describeIt(TEXT), describeIt(changed)];
    expect(dot(a.vector, b.vector)).toBeGreaterThan(0.7);
    expect(overlap(a.evidence, b.evidence)).toBeGreaterThan(0.3);
  });

  it('is apart for another text of the same language', () => {
    const [a, b] = [describeIt(TEXT), describeIt(makeText(2))];
    expect(overlap(a.evidence, b.evidence)).toBeLessThan(0.3);
  });

  it('is the same for UTF-8 and for UTF-16 with its mark', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(TEXT, 'utf16le')]);
    const turned = Buffer.from(utf16).swap16();
    for (const bytes of [utf16, turned]) expect(describeIt(bytes)).toEqual(describeIt(TEXT));
  });

  it('is not made of too few words, of none, or of bytes that are no text', () => {
    for (const bytes of ['a b c d e f g h i j k l m n o p q r s', '', '\u0000'.repeat(500), '!!! ???']) {
      expect(describeText(Buffer.from(bytes)).kind).toBe('nothing');
    }
    expect(() => describeText(Buffer.alloc(10_000, 0xfe))).not.toThrow();
  });
});
