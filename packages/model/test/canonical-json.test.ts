import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CanonicalJsonError, canonicalJson, type JsonValue } from '../src/canonical-json.js';

const json = fc.jsonValue({ stringUnit: 'binary' }).map((value) => value as JsonValue);

describe('canonicalJson', () => {
  // RFC 8785 Appendix B: IEEE 754 bits in hex, and the text.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number with bits %s as %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it('orders members by UTF-16 code units, as RFC 8785 §3.2.3 shows', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(names.map((name, index) => [name, index])));
    const ordered = ['\\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    expect(text.match(/(?<=")[^":,]+(?=":)/g)).toEqual(ordered);
  });

  it('escapes only the characters of RFC 8785 §3.2.2.2', () => {
    expect(canonicalJson('\u20ac$\u000f\nA\'B"\\\\"/\u007f')).toBe(
      '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u007f"',
    );
  });

  it.each([
    ['NaN', Number.NaN],
    ['an infinity', [Number.NEGATIVE_INFINITY]],
    ['a lone surrogate in a text', { a: '\ud800' }],
    ['a lone surrogate in a name', { '\udc00x': 1 }],
    ['a cycle', createCycle()],
    ['nesting deeper than the stack', JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
  ])('throws CanonicalJsonError for %s', (_what, value: JsonValue) => {
    expect(() => canonicalJson(value)).toThrow(CanonicalJsonError);
  });

  it('throws if the whole value is undefined, and leaves out undefined members', () => {
    const absent: { a?: JsonValue } = { a: undefined } as object;
    expect(() => canonicalJson(absent.a as JsonValue)).toThrow(CanonicalJsonError);
    expect(canonicalJson({ ...absent, b: 1 } as JsonValue)).toBe('{"b":1}');
  });

  it('accepts, writes and rejects the same values as an independent implementation of RFC 8785', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud800', 'a\udc00', '\u2028', '__proto__'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        texts,
        fc.double(),
        fc.integer(),
        fc.constantFrom(null, true, false),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(texts, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        expect(textOf(canonicalJson, any)).toBe(textOf(canonicalize, any));
      }),
      { numRuns: 2000 },
    );
  });

  it('writes the same text for reversed members, and for its own parsed text', () => {
    fc.assert(
      fc.property(json.filter(isWellFormed), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});

function textOf(write: (value: JsonValue) => string | undefined, value: unknown): string | undefined {
  try {
    return write(value as JsonValue);
  } catch {
    return undefined;
  }
}

function createCycle(): JsonValue {
  const cycle: JsonValue[] = [];
  cycle.push({ again: cycle });
  return cycle;
}

function isWellFormed(value: JsonValue): boolean {
  return !/\\ud[89a-f]/.test(JSON.stringify(value)); // JSON.stringify escapes lone surrogates only
}

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    reversed(member),
  ]);
  return Object.fromEntries(members.reverse());
}
