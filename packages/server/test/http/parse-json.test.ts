import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../src/http/wire/parse-json.js';

const names = fc.oneof(fc.constantFrom('a', 'b', 'a":', '\\":', '__proto__', ' :', '::'), fc.string());
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    names,
    fc.integer(),
    fc.double({ noNaN: true, min: -(2 ** 53), max: 2 ** 53 }),
    fc.constantFrom(null, true, '12345678901234567890'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
}));
const blanks = fc.constantFrom('', ' ', '\n\t', '\r\n  ');

/** Puts blanks around each member's colon. */
function write(any: unknown, blank: string): string {
  if (Array.isArray(any)) return `[${any.map((one) => write(one, blank)).join(`,${blank}`)}]`;
  if (typeof any !== 'object' || any === null) return JSON.stringify(any);
  const members = Object.entries(any).map(
    ([name, member]) => `${JSON.stringify(name)}${blank}:${blank}${write(member, blank)}`,
  );
  return `{${members.join()}}`;
}

describe('parseJson', () => {
  it('reads the same values as JSON.parse, for any strings', () => {
    fc.assert(
      fc.property(value, blanks, (any, blank) => {
        const text = write(any, blank);
        expect(parseJson(text, 'the body')).toEqual(JSON.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('rejects a duplicate member, at any position', () => {
    fc.assert(
      fc.property(names, value, blanks, fc.nat({ max: 3 }), (name, any, blank, depth) => {
        const member = `${JSON.stringify(name)}${blank}:${write(any, blank)}`;
        const text = `${'{"in":['.repeat(depth)}{${member},${member}}${']}'.repeat(depth)}`;
        expect(() => parseJson(text, 'the body')).toThrow('names a member twice');
      }),
    );
  });

  it.each(['9007199254740993', '[-9007199254740993]', '{"a":{"b":12345678901234567}}', '1'.repeat(400)])(
    'rejects the whole number in %s, which a double would round',
    (text) => expect(() => parseJson(text, 'the body')).toThrow('would be rounded'),
  );

  it('rejects exactly the whole numbers of 16 and 17 digits that a double would round', () => {
    const whole = fc.bigInt({ min: 10n ** 15n, max: 10n ** 17n - 1n });
    const near = fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 53n + 9n });
    fc.assert(
      fc.property(fc.oneof(whole, near), fc.boolean(), (any, isNegative) => {
        const text = `{"a": [${isNegative ? '-' : ''}${any}]}`;
        const read = () => parseJson(text, 'the body');
        if (BigInt(Number(any)) === any) expect(read()).toEqual(JSON.parse(text));
        else expect(read).toThrow('a.0 would be rounded');
      }),
      { numRuns: 1000 },
    );
  });

  it('calls BigInt for no number of 16 digits', () => {
    const text = `[${Array.from({ length: 1_000 }, () => 2 ** 53).join()}]`;
    const compare = vi.spyOn(globalThis, 'BigInt');
    try {
      expect(parseJson(text, 'the body')).toHaveLength(1_000);
      expect(compare).not.toHaveBeenCalled();
    } finally {
      compare.mockRestore();
    }
  });

  it('rejects more than 4,096 whole numbers of more than 16 digits, with the remedy', () => {
    const textOf = (count: number) => `[${Array.from({ length: count }, () => 10 ** 18).join()}]`;
    expect(parseJson(textOf(4_096), 'the body')).toHaveLength(4_096);
    expect(() => parseJson(textOf(4_097), 'the body')).toThrow(
      expect.objectContaining({ code: 'ValidationError', recovery: expect.stringContaining('as strings') }),
    );
  });

  it.each(['9007199254740992', '0.1234567890123456789', '"9007199254740993"', '1e400'])(
    'reads %s as JSON.parse does',
    (text) => {
      expect(parseJson(text, 'the body')).toBe(JSON.parse(text));
    },
  );
});
