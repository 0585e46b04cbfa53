import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '../src/strict-json.js';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('parseStrictJson', () => {
  it('returns the value of JSON.parse for JSON without __proto__, NUL or lone surrogates', () => {
    fc.assert(
      fc.property(
        fc.json({ noUnicodeString: false }),
        fc.constantFrom(undefined, 1, '\t'),
        (text, indent) => {
          const value = JSON.parse(text);
          const isPlain = !/__proto__|\\u0000|\\ud[89a-f]/i.test(text);
          fc.pre(isPlain);
          expect(parseStrictJson(JSON.stringify(value, null, indent))).toMatchObject({ value });
        },
      ),
    );
  });

  it('refuses every text that JSON.parse refuses', () => {
    const characters = fc.constantFrom(...'{}[]",:\\u00e1-+.eE truefalsn\n\t\u0001"');
    const texts = fc.array(characters, { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const isJson = (() => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        if (!isJson) expect(parseStrictJson(text)).toEqual({ fault: 'malformed' });
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['more than 64 levels', nested(65)],
    ['a number outside the range of a double', '1e309'],
    ['a lone surrogate', String.raw`"\ud800"`],
    ['NUL', String.raw`"\u0000"`],
    ['a member __proto__', '{"__proto__":{}}'],
    ['a byte order mark', new TextEncoder().encode('\ufeff{}')],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['text after the value', '{} {}'],
    ['a control character in a string', '"\u0001"'],
    ['a number with a leading zero', '01'],
    ['an unfinished object', '{"a":1'],
    ['only white space', ' '],
  ])('refuses %s', (_what, source) => {
    expect(parseStrictJson(source)).toEqual({ fault: 'malformed' });
  });

  it.each(['{"a":1,"a":2}', String.raw`[{"b":{"a":1,"\u0061":1}}]`])(
    'refuses two members of the same name: %s',
    (text) => {
      expect(parseStrictJson(text)).toEqual({ fault: 'duplicateMember' });
    },
  );

  it.each(['1.0', '1e2', '-0', '0.10', '1E400e', '10000000000000000000001'])(
    'does not accept %s as a canonical number',
    (text) => {
      expect(parseStrictJson(text)).not.toMatchObject({ isCanonicalNumbers: true });
    },
  );

  it('accepts a string of 20 MB with escapes', () => {
    const value = `${'a'.repeat(20_000_000)}\n"\\`;
    expect(parseStrictJson(JSON.stringify([value, '\\', '"']))).toMatchObject({ value: [value, '\\', '"'] });
  });

  it('accepts 64 levels of nesting', () => {
    expect(parseStrictJson(nested(64))).toHaveProperty('value');
  });
});
