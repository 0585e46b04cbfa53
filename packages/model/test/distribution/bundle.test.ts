import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CORRECTION_EXTENSION,
  distributeBundle,
  distributionSchema,
  type LineageBundle,
  lineagePath,
} from '../../src/index.js';
import { anyBundle, bundleOf, creator, diamond, made, sharesOf } from './support.js';

const policy = fc.constantFrom('direct', 'parents', 'all-ancestors');
const total = fc.integer({ min: 1, max: 100_000 });

describe('shares over any history', () => {
  it('sum to the total, or to 0 if nobody is credited, and list the contents that earned them', () => {
    fc.assert(
      fc.property(anyBundle, policy, total, (bundle, policy, total) => {
        const answer = distributeBundle(bundle, { policy, total });
        const sum = answer.shares.reduce((sum, { share }) => sum + share, 0);
        expect(sum).toBe(answer.allocated);
        expect(answer.allocated).toBe(answer.contents.every(({ basis }) => basis === 'nobody') ? 0 : total);
        for (const { share, earned } of answer.shares) {
          expect(earned.reduce((sum, { units }) => sum + units, 0)).toBe(share);
          for (const { cid } of earned) {
            const content = answer.contents.find((one) => one.cid === cid);
            expect(lineagePath(answer, cid)).toHaveLength((content?.distance ?? -1) + 1);
          }
        }
        expect(distributionSchema.parse(answer)).toEqual(answer);
      }),
    );
  });

  it('do not depend on the order of the records', () => {
    const shuffled = anyBundle.chain((bundle) =>
      fc.tuple(
        fc.constant(bundle),
        fc.shuffledSubarray([...bundle.actions], { minLength: bundle.actions.length }),
        fc.shuffledSubarray([...bundle.attributions], { minLength: bundle.attributions.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, policy, total, ([bundle, actions, attributions], policy, total) => {
        expect(distributeBundle({ ...bundle, actions, attributions }, { policy, total })).toEqual(
          distributeBundle(bundle, { policy, total }),
        );
      }),
    );
  });

  it('count each content once, at the length of its shortest path', () => {
    fc.assert(
      fc.property(anyBundle, (bundle) => {
        const { contents } = distributeBundle(bundle, { policy: 'all-ancestors' });
        const makers = new Map(
          bundle.actions.map(({ outputCids: [cid = ''], inputCids }) => [cid, inputCids]),
        );
        const waysOf = (cid: string, target: string): number[] =>
          cid === target
            ? [0]
            : (makers.get(cid) ?? []).flatMap((input) => waysOf(input, target).map((way) => way + 1));
        expect(new Set(contents.map(({ cid }) => cid)).size).toBe(contents.length);
        for (const { cid, distance } of contents) expect(distance).toBe(Math.min(...waysOf(bundle.cid, cid)));
      }),
      { numRuns: 50 },
    );
  });
});

describe('distributeBundle', () => {
  it('credits with `direct` the entities of the content itself, and no ancestor', () => {
    expect(sharesOf(distributeBundle(diamond))).toEqual(['E 10000']);
  });

  it('with `parents`, credits the entities of the content and, with decay, those of its inputs', () => {
    const { contents, ...answer } = distributeBundle(
      { ...diamond, cid: 'd' },
      { policy: 'parents', total: 100 },
    );
    expect(sharesOf(answer)).toEqual(['D 50', 'B 25', 'C 25']);
    expect(contents.map(({ cid, distance }) => `${cid}${distance}`)).toEqual(['d0', 'b1', 'c1']);
    expect(answer).toMatchObject({ decay: '1/2', defaultUsed: true, complete: true });
  });

  it('counts with `all-ancestors` a shared ancestor once, at its shortest distance', () => {
    const answer = distributeBundle(diamond, { policy: 'all-ancestors', total: 17 });
    expect(sharesOf(answer)).toEqual(['E 8', 'D 4', 'B 2', 'C 2', 'A 1']);
    expect(lineagePath(answer, 'a')).toEqual(['e', 'd', 'b', 'a']);
    expect(answer.contents.at(-1)).toEqual({
      cid: 'a',
      distance: 3,
      basis: 'default',
      from: { cid: 'b', actionId: 'make b' },
    });
  });

  it('follows the action with the lowest id if several are on a shortest path', () => {
    const [one, two] = [
      { ...made('x', ['y']), id: '1' },
      { ...made('x', ['y']), id: '2' },
    ];
    for (const actions of [
      [one, two],
      [two, one],
    ]) {
      const { contents } = distributeBundle(bundleOf('x', { actions }), { policy: 'parents' });
      expect(contents[1]?.from).toEqual({ cid: 'x', actionId: '1' });
    }
  });

  it('gives all contents the same weight with a decay of 1', () => {
    expect(sharesOf(distributeBundle(diamond, { policy: 'all-ancestors', decay: 1, total: 5 }))).toEqual(
      [...'ABCDE'].map((id) => `${id} 1`),
    );
  });

  it('ends the walk at the requested depth', () => {
    const answer = distributeBundle(diamond, { policy: 'all-ancestors', depth: 2, total: 8, decay: '0.5' });
    expect(sharesOf(answer)).toEqual(['E 4', 'D 2', 'B 1', 'C 1']);
    expect(answer).toMatchObject({ depth: 2, decay: '1/2' });
  });

  it('gives one share to an entity that several contents credit, and lists the units of each content', () => {
    const bundle = {
      ...diamond,
      attributions: [creator('X', 'e'), creator('X', 'd'), creator('Y', 'd'), creator('X', 'a')],
    };
    const [x, y] = distributeBundle(bundle, { policy: 'all-ancestors', total: 13 }).shares;
    expect(x).toEqual({
      entityId: 'X',
      share: 11,
      earned: [
        { cid: 'e', units: 8 },
        { cid: 'd', units: 2 },
        { cid: 'a', units: 1 },
      ],
    });
    expect(y).toEqual({ entityId: 'Y', share: 2, earned: [{ cid: 'd', units: 2 }] });
  });
});

describe('the entities that a content credits', () => {
  const shares = (attributions: LineageBundle['attributions'], more: Partial<LineageBundle> = {}) => {
    const { shares, contents, defaultUsed } = distributeBundle(
      bundleOf('x', { actions: [made(['x', 'y'])], attributions, ...more }),
      { total: 12 },
    );
    return [...shares.map(({ entityId, share }) => `${entityId} ${share}`), contents[0]?.basis, defaultUsed];
  };
  const contrib = (entityId: string, weight: unknown, basis?: string) => ({
    ...creator(entityId, 'x'),
    extensions: { 'ext:contrib@1.0.0': { weight, ...(basis === undefined ? {} : { basis }) } },
  });

  it('are only its creators, in equal parts, when no attribution has a weight', () => {
    const others = ['contributor', 'source', 'ext:signer'].map((role) => ({
      entityId: role,
      resourceCid: 'x',
      role,
    }));
    expect(shares([creator('ann', 'x'), creator('bo', 'x'), ...others])).toEqual([
      'ann 6',
      'bo 6',
      'default',
      true,
    ]);
  });

  it('are all entities with a weight; creators and contributors without a weight get 0', () => {
    const source = { entityId: 'src', resourceCid: 'x', role: 'source', weight: 1 };
    const signer = { entityId: 'signer', resourceCid: 'x', role: 'ext:signer' };
    expect(shares([creator('ann', 'x'), creator('bo', 'x', '2'), source, signer])).toEqual([
      'bo 8',
      'src 4',
      'ann 0',
      'weights',
      false,
    ]);
  });

  it('are none when there are no attributions or all weights are 0; then nothing is distributed', () => {
    expect(shares([])).toEqual(['nobody', false]);
    expect(shares([creator('ann', 'x', 0)])).toEqual(['ann 0', 'nobody', false]);
    expect(distributeBundle(bundleOf('x', {})).allocated).toBe(0);
  });

  it('also come from attributions to the action that made the content, unless these name another content', () => {
    const ofAction = { entityId: 'ann', actionId: 'make x', role: 'creator' };
    expect(shares([ofAction])).toEqual(['ann 12', 'default', true]);
    expect(shares([{ ...ofAction, resourceCid: 'y' }])).toEqual(['nobody', false]);
  });

  it('get the sum of their weights; a repeated attribution id counts once', () => {
    const twice = { ...creator('ann', 'x', 1), id: 'n1' };
    expect(shares([twice, twice, creator('bo', 'x', 1), creator('bo', 'x', 1)])).toEqual([
      'bo 8',
      'ann 4',
      'weights',
      false,
    ]);
  });

  it('get the weight of `ext:contrib` if the attribution has none; 1 per cent equals 100 points', () => {
    expect(
      shares([contrib('ann', 25, 'percentage'), contrib('bo', 7500, 'points'), contrib('cy', 0)]),
    ).toEqual(['bo 9', 'ann 3', 'cy 0', 'weights', false]);
    expect(shares([{ ...contrib('ann', 1), weight: 3 }, contrib('bo', 1)])).toEqual([
      'ann 9',
      'bo 3',
      'weights',
      false,
    ]);
  });

  it('include the entities of attributions to an alias of the content', () => {
    const more = { cid: 'other', aliases: { other: 'x', third: 'x' } };
    expect(shares([creator('ann', 'third'), creator('bo', 'x')], more)).toEqual([
      'ann 6',
      'bo 6',
      'default',
      true,
    ]);
  });

  it('are none for content without attributions; the result lists such content without a share', () => {
    const bundle = bundleOf('x', { actions: [made('x', ['found'])], attributions: [creator('ann', 'x')] });
    expect(distributeBundle(bundle, { policy: 'parents' })).toMatchObject({
      shares: [{ entityId: 'ann', share: 10_000 }],
      contents: [
        { cid: 'x', basis: 'default' },
        { cid: 'found', basis: 'nobody' },
      ],
    });
  });

  it('get the wallets of the bundle; an entity without a wallet keeps its share and is in `withoutWallet`', () => {
    const bundle = bundleOf('x', {
      attributions: [creator('ann', 'x'), creator('bo', 'x')],
      entities: [{ id: 'ann', wallet: '0x1' }, { id: 'bo' }],
    });
    const { shares, withoutWallet } = distributeBundle(bundle);
    expect(shares.map(({ wallet, share }) => [wallet, share])).toEqual([
      ['0x1', 5000],
      [undefined, 5000],
    ]);
    expect(withoutWallet).toEqual(['bo']);
  });
});

describe('the member `complete`', () => {
  const cut = { ...diamond, complete: false };
  it.each([
    ['true when the truncation lies beyond the part that the policy needs', true, { policy: 'direct' }, cut],
    [
      'true when the truncated bundle has at least one action more than the policy needs',
      true,
      { policy: 'all-ancestors', depth: 2 },
      cut,
    ],
    ['false for `all-ancestors` when the history was truncated', false, { policy: 'all-ancestors' }, cut],
    [
      'false when the part that the policy needs may be truncated',
      false,
      { policy: 'direct' },
      { ...cut, actions: [made('e', ['d'])] },
    ],
    [
      'false when the next action that the policy needs may be missing',
      false,
      { policy: 'all-ancestors', depth: 3 },
      cut,
    ],
  ] as const)('is %s', (_, complete, terms, bundle) => {
    expect(distributeBundle(bundle, terms).complete).toBe(complete);
  });
});

describe('shares over a history with a correction', () => {
  const corrects = (actionId: string) => ({ [CORRECTION_EXTENSION]: { actionId } });
  const byAction = (entityId: string, actionId: string, weight?: number) => ({
    ...{ entityId, actionId, role: 'creator' },
    ...(weight === undefined ? {} : { weight }),
  });
  const first = { id: '1', inputCids: ['sketch'], outputCids: ['poster'] };
  const bundle = bundleOf('poster', {
    actions: [made('sketch'), first],
    attributions: [creator('cy', 'sketch'), byAction('ann', '1', 3)],
  });
  const corrected = {
    ...bundle,
    actions: [
      ...bundle.actions,
      { id: '2', inputCids: [], outputCids: ['poster'], extensions: corrects('1') },
    ],
    attributions: [...bundle.attributions, byAction('bo', '2')],
  };

  it('omits the corrected action, its sources and its weights', () => {
    expect(sharesOf(distributeBundle(bundle, { policy: 'parents', total: 3 }))).toEqual(['ann 2', 'cy 1']);
    const answer = distributeBundle(corrected, { policy: 'parents', total: 3 });
    expect(sharesOf(answer)).toEqual(['bo 3']);
    expect(answer.defaultUsed).toBe(true);
    expect(answer.contents.map(({ cid }) => cid)).toEqual(['poster']);
  });

  it('does not depend on a correction that names no action of the history', () => {
    fc.assert(
      fc.property(anyBundle, policy, (bundle, policy) => {
        const actions = bundle.actions.map((action) => ({ ...action, extensions: corrects('unknown') }));
        const terms = { policy } as const;
        expect(JSON.stringify(distributeBundle({ ...bundle, actions }, terms))).toBe(
          JSON.stringify(distributeBundle(bundle, terms)),
        );
      }),
    );
  });
});
