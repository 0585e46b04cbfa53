import { describe, expect, it } from 'vitest';
import { distributeBundle, type LineageBundle } from '../../src/index.js';
import { bundleOf, codeOf, creator, diamond, made, sharesOf } from './support.js';

describe('the code with which distributeBundle rejects a bundle', () => {
  it.each(['0', 0, '2', 1.5, -1, Number.NaN, 'x', '0/5', null])('InvalidDecay: %s', (decay) => {
    expect(codeOf(() => distributeBundle(diamond, { policy: 'parents', decay: decay as string }))).toBe(
      'InvalidDecay',
    );
  });

  it('InvalidDecay, InvalidDepth: an option that the policy does not accept', () => {
    expect(codeOf(() => distributeBundle(diamond, { decay: 1 }))).toBe('InvalidDecay');
    expect(codeOf(() => distributeBundle(diamond, { policy: 'parents', depth: 1 }))).toBe('InvalidDepth');
    expect(codeOf(() => distributeBundle(diamond, { policy: 'all-ancestors', depth: 0.5 }))).toBe(
      'InvalidDepth',
    );
  });

  it.each<[string, Partial<LineageBundle>]>([
    ['a content made from itself', { actions: [made('x', ['x'])] }],
    ['two contents made from each other', { actions: [made('x', ['y']), made('y', ['x'])] }],
    [
      'a cycle without the requested content',
      { actions: [made('x', ['y']), made('y', ['z']), made('z', ['y'])] },
    ],
    [
      'a cycle through an alias',
      { actions: [made('x', ['y']), made('y', ['other'])], aliases: { other: 'x' } },
    ],
  ])('CyclicBundle: %s', (_, records) => {
    expect(codeOf(() => distributeBundle(bundleOf('x', records), { policy: 'all-ancestors' }))).toBe(
      'CyclicBundle',
    );
  });

  it('none: a cycle beyond the depth of the policy', () => {
    const actions = [made('x', ['y']), made('y', ['x'])];
    expect(codeOf(() => distributeBundle(bundleOf('x', { actions })))).toBe('none');
  });

  it.each(['NaN', '-1', -1, Number.NaN, Number.POSITIVE_INFINITY])('InvalidWeight: %s', (weight) => {
    expect(codeOf(() => distributeBundle(bundleOf('x', { attributions: [creator('a', 'x', weight)] })))).toBe(
      'InvalidWeight',
    );
  });

  it.each([{ weight: 'NaN' }, { weight: -1 }, {}, null, { weight: 1, basis: 'shares' }])(
    'InvalidWeight: contribution %j',
    (contribution) => {
      const attributions = [{ ...creator('a', 'x'), extensions: { 'ext:contrib@1.0.0': contribution } }];
      expect(codeOf(() => distributeBundle(bundleOf('x', { attributions })))).toBe('InvalidWeight');
    },
  );

  it('ConflictingWallets: an entity that is listed twice with different wallets', () => {
    const entities = ['0x1', '0x2'].map((wallet) => ({ id: 'a', wallet }));
    expect(codeOf(() => distributeBundle(bundleOf('x', { entities })))).toBe('ConflictingWallets');
  });
});

describe('a hostile bundle gets a result or a code', () => {
  const chain = (length: number, weight?: string) =>
    bundleOf('c0', {
      actions: Array.from({ length }, (_, at) => made(`c${at}`, [`c${at + 1}`])),
      attributions: Array.from({ length }, (_, at) => ({
        entityId: `e${at}`,
        actionId: `make c${at}`,
        role: 'creator',
        weight,
      })),
    });

  it('a chain of 10,000 actions', () => {
    const { shares, contents } = distributeBundle(chain(10_000), { policy: 'all-ancestors' });
    expect([shares.length, contents.length]).toEqual([10_000, 10_001]);
    expect(shares.reduce((sum, { share }) => sum + share, 0)).toBe(10_000);
  });

  it('5,000 stacked diamonds with 2^5000 paths', () => {
    const actions = Array.from({ length: 5_000 }, (_, at) =>
      ['a', 'b'].map((side) => made(`${at}${side}`, [`${at + 1}a`, `${at + 1}b`])),
    ).flat();
    const bundle = bundleOf('0a', { actions, attributions: [creator('x', '0a'), creator('y', '5000b')] });
    expect(sharesOf(distributeBundle(bundle, { policy: 'all-ancestors', decay: 1 }))).toEqual([
      'x 5000',
      'y 5000',
    ]);
  });

  it('TooPrecise: a chain of 10,000 actions with a decay of many digits', () => {
    expect(
      codeOf(() =>
        distributeBundle(chain(10_000), { policy: 'all-ancestors', decay: `1/${'9'.repeat(64)}` }),
      ),
    ).toBe('TooPrecise');
  });

  it('TooLarge: a few actions whose outputs credit very many entities', () => {
    const names = (at: number) => Array.from({ length: 1_000 }, (_, index) => `c${at}-${index}`);
    const actions = [
      made('x', names(0)),
      ...Array.from({ length: 20 }, (_, at) => made(names(at), names(at + 1))),
    ];
    const attributions = actions.flatMap(({ id }) =>
      Array.from({ length: 10 }, (_, at) => ({ entityId: `e${at}`, actionId: id, role: 'creator' })),
    );
    expect(
      codeOf(() => distributeBundle(bundleOf('x', { actions, attributions }), { policy: 'all-ancestors' })),
    ).toBe('TooLarge');
  });

  const precise = (more: LineageBundle['attributions'] = []) => {
    const outputs = Array.from({ length: 120 }, (_, at) => `o${at}`);
    const actions = [made(outputs, []), made('x', outputs)];
    const shared = Array.from({ length: 100 }, (_, at) => ({
      ...{ entityId: `e${at}`, actionId: actions[0]?.id, role: 'creator' },
      weight: `${at + 1}/${10n ** 63n + BigInt(2 * at + 1)}`,
    }));
    return bundleOf('x', { actions, attributions: [...shared, ...more] });
  };

  it('contents with the same weights share one computation', () => {
    const { shares, contents } = distributeBundle(precise(), { policy: 'parents' });
    expect([shares.length, contents.length]).toEqual([100, 121]);
  });

  it('TooPrecise, before the computation: many contents with different weights of many digits', () => {
    const own = Array.from({ length: 120 }, (_, at) => creator('own', `o${at}`, '0'));
    const start = () => distributeBundle(precise(own), { policy: 'parents' });
    expect(codeOf(start)).toBe('TooPrecise');
    expect(start).toThrow('all contents');
  });

  it('ids such as __proto__ and constructor are ordinary ids', () => {
    const bundle = bundleOf('constructor', {
      actions: [made('constructor', ['__proto__'])],
      attributions: [creator('toString', '__proto__')],
      aliases: {},
    });
    expect(sharesOf(distributeBundle(bundle, { policy: 'parents' }))).toEqual(['toString 10000']);
  });
});
