import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distributeByWeight, parseRational } from '../../src/index.js';
import { weightSchema } from '../../src/records/attribution.js';
import { codeOf } from './support.js';

describe('a distribution by weight is rejected with a code', () => {
  const one = (weight: unknown) => [{ entityId: 'a', weight: weight as number }];
  it.each([
    ...[
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      'NaN',
      'Infinity',
      '',
      ' 1',
      '-1',
      '1e3',
      '1/0',
      '1/',
      '.5',
      '1.',
      '0x10',
    ],
    ...['1/2/3', '١', '1_000', `${'9'.repeat(65)}`, -1n, 2n ** 1024n, null, {}, [1], true],
  ])('InvalidWeight: %s', (weight) => {
    expect(codeOf(() => distributeByWeight(one(weight)))).toBe('InvalidWeight');
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '10'])('InvalidTotal: %s', (total) => {
    expect(codeOf(() => distributeByWeight(one(1), { total: total as number }))).toBe('InvalidTotal');
  });

  it('NothingToShare: no recipient, or only weights of 0', () => {
    expect(codeOf(() => distributeByWeight([]))).toBe('NothingToShare');
    expect(codeOf(() => distributeByWeight(one('0/7')))).toBe('NothingToShare');
  });

  it('ConflictingWallets: one entity with two wallets', () => {
    const given = ['0x1', '0x2'].map((wallet) => ({ entityId: 'a', weight: 1, wallet }));
    expect(codeOf(() => distributeByWeight(given))).toBe('ConflictingWallets');
  });

  it('TooPrecise: ten thousand denominators without a common factor', () => {
    const given = Array.from({ length: 10_000 }, (_, index) => ({
      entityId: `e${index}`,
      weight: `1/${'9'.repeat(50)}${10_001 + 2 * index}`,
    }));
    expect(codeOf(() => distributeByWeight(given))).toBe('TooPrecise');
  });

  it('InvalidWeight: exactly the texts that a record does not accept as a weight', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9./ -]{0,70}$/));
    fc.assert(
      fc.property(text, (weight) => {
        const isAccepted = weightSchema.safeParse(weight).success;
        expect(parseRational(weight) !== undefined).toBe(isAccepted);
        expect(codeOf(() => distributeByWeight(one(weight))) !== 'InvalidWeight').toBe(isAccepted);
      }),
    );
  });
});
