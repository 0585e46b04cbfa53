import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distributeByWeight, type Exact, parseRational, type Recipient } from '../../src/index.js';
import { anyWeight, sharesOf } from './support.js';

const total = fc.oneof(
  fc.constant(10_000),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  fc.integer({ min: 1, max: 9 }),
);
const recipient = fc.record({ entityId: fc.string({ minLength: 1, maxLength: 4 }), weight: anyWeight });
const recipients = fc
  .array(recipient, { minLength: 1, maxLength: 30 })
  .filter((all) => all.some(({ weight }) => toFraction(weight)[0] > 0n));

function toFraction(weight: Exact): [bigint, bigint] {
  const value = parseRational(weight);
  if (value === undefined) throw new Error(`${weight} is no weight`);
  return [value.numerator, value.denominator];
}

const byId = (given: readonly Recipient[], all: number) =>
  new Map(distributeByWeight(given, { total: all }).shares.map(({ entityId, share }) => [entityId, share]));

const sumOf = (parts: Iterable<number>) => [...parts].reduce((sum, part) => sum + BigInt(part), 0n);

describe('shares by weight', () => {
  it('sum to exactly the total, are whole and never negative', () => {
    fc.assert(
      fc.property(recipients, total, (given, all) => {
        const { shares, ...answer } = distributeByWeight(given, { total: all });
        expect(sumOf(shares.map(({ share }) => share))).toBe(BigInt(all));
        expect(answer).toMatchObject({ total: all, allocated: all, defaultUsed: false });
        for (const { share } of shares) expect(Number.isSafeInteger(share) && share >= 0).toBe(true);
      }),
    );
  });

  it('each differ from the exact quota by less than one unit', () => {
    fc.assert(
      fc.property(recipients, total, (given, all) => {
        const common = given.reduce((product, { weight }) => product * toFraction(weight)[1], 1n);
        const exact = new Map<string, bigint>();
        for (const { entityId, weight } of given) {
          const [numerator, denominator] = toFraction(weight);
          exact.set(entityId, (exact.get(entityId) ?? 0n) + (numerator * common) / denominator);
        }
        const sum = [...exact.values()].reduce((a, b) => a + b);
        for (const [entityId, share] of byId(given, all)) {
          const difference = BigInt(share) * sum - BigInt(all) * (exact.get(entityId) ?? 0n);
          expect(difference < sum && -difference < sum).toBe(true);
        }
      }),
    );
  });

  it('do not depend on the order of the recipients', () => {
    const shuffled = recipients.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
    );
    fc.assert(
      fc.property(shuffled, total, ([given, mixed], all) => {
        expect(distributeByWeight(mixed, { total: all })).toEqual(distributeByWeight(given, { total: all }));
      }),
    );
  });

  it('never fall when their own weight rises; rounding adds at most one unit to each other share', () => {
    fc.assert(
      fc.property(recipients, total, fc.nat(), fc.nat(), (given, all, at, more) => {
        const risen = given[at % given.length]?.entityId ?? '';
        const before = byId(given, all);
        const after = byId([...given, { entityId: risen, weight: more }], all);
        for (const [entityId, share] of after) {
          const was = before.get(entityId) ?? 0;
          // Rounding can give each other entity one more unit.
          if (entityId === risen) expect(share).toBeGreaterThanOrEqual(was);
          else expect(share).toBeLessThanOrEqual(was + 1);
        }
      }),
    );
  });

  it('are never larger for a smaller weight', () => {
    const distinct = fc.uniqueArray(recipient, {
      minLength: 2,
      maxLength: 20,
      selector: ({ entityId }) => entityId,
    });
    fc.assert(
      fc.property(distinct, total, (given, all) => {
        fc.pre(given.some(({ weight }) => toFraction(weight)[0] > 0n));
        const shares = byId(given, all);
        const isLess = (a: Exact, b: Exact) =>
          toFraction(a)[0] * toFraction(b)[1] < toFraction(b)[0] * toFraction(a)[1];
        for (const one of given)
          for (const other of given)
            if (isLess(one.weight, other.weight))
              expect(shares.get(one.entityId)).toBeLessThanOrEqual(shares.get(other.entityId) ?? 0);
      }),
    );
  });

  it('depend only on the ratios of the weights', () => {
    const integers = fc.array(
      fc.record({ entityId: fc.string(), weight: fc.bigInt({ min: 1n, max: 10n ** 30n }) }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(integers, fc.bigInt({ min: 1n, max: 10n ** 30n }), total, (given, factor, all) => {
        const scaled = given.map(({ entityId, weight }) => ({ entityId, weight: weight * factor }));
        expect(byId(scaled, all)).toEqual(byId(given, all));
      }),
    );
  });

  it.each<[string, Recipient[], number, string[]]>([
    [
      'three equal weights',
      ['c', 'a', 'b'].map((entityId) => ({ entityId, weight: 1 })),
      10_000,
      ['a 3334', 'b 3333', 'c 3333'],
    ],
    [
      'six equal weights',
      [...'abcdef'].map((entityId) => ({ entityId, weight: 7 })),
      10_000,
      ['a 1667', 'b 1667', 'c 1667', 'd 1667', 'e 1666', 'f 1666'],
    ],
    [
      'a tie goes by code point, not by locale',
      ['a', 'B'].map((entityId) => ({ entityId, weight: 1 })),
      1,
      ['B 1', 'a 0'],
    ],
    [
      'in a tie, an id above U+FFFF comes last, as in the order of code points',
      ['\u{1F600}', '\uFFFD'].map((entityId) => ({ entityId, weight: 1 })),
      1,
      ['\uFFFD 1', '\u{1F600} 0'],
    ],
    [
      'a larger remainder counts before the order of ids',
      [
        { entityId: 'a', weight: 1 },
        { entityId: 'z', weight: 2 },
      ],
      10,
      ['z 7', 'a 3'],
    ],
    [
      '0.1 is a tenth',
      [
        { entityId: 'a', weight: 0.1 },
        { entityId: 'b', weight: 0.2 },
      ],
      3,
      ['b 2', 'a 1'],
    ],
    [
      'weights of different forms',
      [
        { entityId: 'a', weight: '1/3' },
        { entityId: 'b', weight: '0.5' },
        { entityId: 'c', weight: 1n },
      ],
      11,
      ['c 6', 'b 3', 'a 2'],
    ],
    [
      'one entity is listed twice',
      [
        { entityId: 'a', weight: '1/3' },
        { entityId: 'b', weight: 1 },
        { entityId: 'a', weight: '2/3' },
      ],
      10,
      ['a 5', 'b 5'],
    ],
    [
      'a weight of 0 is shown',
      [
        { entityId: 'a', weight: 0 },
        { entityId: 'b', weight: 1 },
      ],
      10,
      ['b 10', 'a 0'],
    ],
    [
      'an entity without a weight gets 0 beside an entity with a weight',
      [{ entityId: 'a' }, { entityId: 'b', weight: 1 }],
      10,
      ['b 10', 'a 0'],
    ],
    [
      'more recipients than units',
      [...'abc'].map((entityId) => ({ entityId, weight: 1 })),
      2,
      ['a 1', 'b 1', 'c 0'],
    ],
    [
      'the largest double beside the smallest',
      [
        { entityId: 'a', weight: 5e-324 },
        { entityId: 'b', weight: 1.7e308 },
      ],
      10,
      ['b 10', 'a 0'],
    ],
  ])('are as expected in this case: %s', (_, given, all, expected) => {
    expect(sharesOf(distributeByWeight(given, { total: all }))).toEqual(expected);
  });

  it('are equal when there are no weights, and the result reports this default', () => {
    const [ann, bo] = [{ entityId: 'ann' }, { entityId: 'bo' }];
    expect(distributeByWeight([ann])).toMatchObject({
      defaultUsed: true,
      shares: [{ entityId: 'ann', share: 10_000 }],
    });
    const several = distributeByWeight([bo, ann, ann]);
    expect([several.defaultUsed, ...sharesOf(several)]).toEqual([true, 'ann 5000', 'bo 5000']);
  });

  it('are kept for recipients without a wallet, listed in `withoutWallet` if above 0', () => {
    const { shares, withoutWallet } = distributeByWeight([
      { entityId: 'ann', weight: 1, wallet: '0x1' },
      { entityId: 'bo', weight: 1 },
      { entityId: 'cy', weight: 0 },
    ]);
    expect(shares).toEqual([
      { entityId: 'ann', share: 5000, wallet: '0x1' },
      { entityId: 'bo', share: 5000 },
      { entityId: 'cy', share: 0 },
    ]);
    expect(withoutWallet).toEqual(['bo']);
  });
});
