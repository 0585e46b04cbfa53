import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distributeByWeight, splitAmount } from '../../src/index.js';
import { codeOf } from './support.js';

const share = fc.record({
  entityId: fc.string(),
  share: fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 255n })),
});
const shares = fc
  .uniqueArray(share, { minLength: 1, maxLength: 30, selector: ({ entityId }) => entityId })
  .filter((all) => all.some(({ share }) => share > 0));

describe('splitting an amount', () => {
  it('leaves no remainder, pays no negative amount, and pays nothing for a share of 0', () => {
    fc.assert(
      fc.property(shares, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (given, amount) => {
        const parts = splitAmount(amount, given);
        expect(parts.reduce((sum, part) => sum + part.amount, 0n)).toBe(amount);
        for (const part of parts)
          expect(part.amount >= 0n && (part.share > 0 || part.amount === 0n)).toBe(true);
      }),
    );
  });

  it('keeps the order and the members of the shares; the amounts do not depend on this order', () => {
    fc.assert(
      fc.property(shares, fc.bigInt({ min: 0n, max: 10n ** 20n }), (given, amount) => {
        const parts = splitAmount(amount, given);
        expect(parts.map(({ amount: _, ...rest }) => rest)).toEqual(given);
        expect(splitAmount(amount, given.toReversed()).toReversed()).toEqual(parts);
      }),
    );
  });

  it('splits one unit of a currency with 18 decimals by the shares of a distribution', () => {
    const { shares } = distributeByWeight(
      [...'abc'].map((entityId) => ({ entityId, weight: 1, wallet: `0x${entityId}` })),
    );
    expect(splitAmount(10n ** 18n, shares).map(({ wallet, amount }) => [wallet, amount])).toEqual([
      ['0xa', 333_400_000_000_000_000n],
      ['0xb', 333_300_000_000_000_000n],
      ['0xc', 333_300_000_000_000_000n],
    ]);
  });

  it.each<[string, bigint | number, { entityId: string; share: number | bigint }[]]>([
    ['InvalidAmount', -1n, [{ entityId: 'a', share: 1 }]],
    ['InvalidAmount', 2n ** 256n, [{ entityId: 'a', share: 1 }]],
    ['InvalidAmount', 5, [{ entityId: 'a', share: 1 }]],
    ['InvalidShare', 1n, [{ entityId: 'a', share: -1 }]],
    ['InvalidShare', 1n, [{ entityId: 'a', share: 0.5 }]],
    ['InvalidShare', 1n, [{ entityId: 'a', share: Number.NaN }]],
    ['InvalidShare', 1n, [{ entityId: 'a', share: -1n }]],
    [
      'InvalidShare',
      1n,
      [
        { entityId: 'a', share: 1 },
        { entityId: 'a', share: 2 },
      ],
    ],
    ['NothingToShare', 1n, [{ entityId: 'a', share: 0 }]],
    ['NothingToShare', 0n, []],
  ])('is rejected with %s: %s', (code, amount, given) => {
    expect(codeOf(() => splitAmount(amount as bigint, given))).toBe(code);
  });
});
