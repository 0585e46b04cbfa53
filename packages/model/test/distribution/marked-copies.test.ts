import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CORRECTION_EXTENSION,
  type DistributionTerms,
  distributeBundle,
  type LineageBundle,
  lineagePath,
  listShareRecords,
  MARK_EXTENSION,
} from '../../src/index.js';
import { anyBundle, bundleOf, codeOf, creator, made, sharesOf } from './support.js';

function marking(copy: string, marked: string, ingredients: string[] = []) {
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: marked };
  const extensions: Record<string, unknown> = { [MARK_EXTENSION]: mark };
  return { id: `mark ${copy}`, inputCids: [marked, ...ingredients], outputCids: [copy], extensions };
}

function marker(entityId: string, copy: string, weight?: number) {
  return { ...creator(entityId, copy, weight), actionId: `mark ${copy}` };
}

/** Ann made a photo from a sketch by Cy, and Bo marked the photo. */
const history = bundleOf('copy', {
  actions: [made('sketch'), made('photo', ['sketch']), marking('copy', 'photo')],
  attributions: [creator('cy', 'sketch'), creator('ann', 'photo'), marker('bo', 'copy')],
});

const withMore = ({ actions = [], attributions = [], ...more }: Partial<LineageBundle>) => ({
  ...{ ...history, ...more },
  actions: [...history.actions, ...actions],
  attributions: [...history.attributions, ...attributions],
});

const sharesWith = (bundle: LineageBundle, terms: DistributionTerms) =>
  sharesOf(distributeBundle(bundle, terms));

describe('a marked copy', () => {
  it('gives the whole total to the makers of its original; the path begins at the copy', () => {
    const answer = distributeBundle(history);
    expect(sharesOf(answer)).toEqual(['ann 10000']);
    expect(answer).toMatchObject({ cid: 'copy', shares: [{ earned: [{ cid: 'photo', units: 10_000 }] }] });
    expect(answer.contents).toEqual([
      { cid: 'copy', distance: 0, basis: 'nobody' },
      { cid: 'photo', distance: 0, basis: 'default', from: { cid: 'copy', actionId: 'mark copy' } },
    ]);
    expect(lineagePath(answer, 'photo')).toEqual(['copy', 'photo']);
  });

  it('has the sources of its original, and the other inputs of its own action, at distance 1', () => {
    expect(sharesWith(history, { policy: 'parents', total: 3 })).toEqual(['ann 2', 'cy 1']);
    const bundle = {
      ...history,
      actions: [made('sketch'), made('photo', ['sketch']), marking('copy', 'photo', ['logo'])],
      attributions: [...history.attributions, creator('di', 'logo')],
    };
    expect(sharesWith(bundle, { policy: 'parents', total: 4 })).toEqual(['ann 2', 'cy 1', 'di 1']);
  });

  it.each([{ sources: ['copy'] }, { sources: ['copy', 'photo'] }, { sources: ['photo'] }])(
    'counts as a source like its original, and both together count once: $sources',
    ({ sources }) => {
      const more = { actions: [made('collage', sources)], attributions: [creator('eve', 'collage')] };
      const bundle = withMore({ ...more, cid: 'collage' });
      expect(sharesWith(bundle, { policy: 'all-ancestors', total: 7 })).toEqual(['eve 4', 'ann 2', 'cy 1']);
      expect(sharesWith(bundle, { policy: 'parents', total: 3 })).toEqual(['eve 2', 'ann 1']);
    },
  );

  it('of a marked copy is the same work as the original of that copy', () => {
    const more = { actions: [marking('again', 'copy')], attributions: [marker('di', 'again')] };
    const bundle = withMore({ ...more, cid: 'again' });
    const answer = distributeBundle(bundle, { policy: 'parents', total: 3 });
    expect(sharesOf(answer)).toEqual(['ann 2', 'cy 1']);
    const contents = answer.contents.map(({ cid, distance }) => `${cid} ${distance}`);
    expect(contents).toEqual(['again 0', 'copy 0', 'photo 0', 'sketch 1']);
    expect(lineagePath(answer, 'sketch')).toEqual(['again', 'copy', 'photo', 'sketch']);
  });

  it('of a chain of 10,000 marked copies is the same work', () => {
    const names = Array.from({ length: 10_000 }, (_, place) => `copy ${place}`);
    const actions = names.map((name, place) => marking(name, names[place - 1] ?? 'photo'));
    const attributions = [creator('ann', 'photo'), ...names.map((name) => marker('bo', name))];
    const chain = bundleOf(names.at(-1) ?? '', { actions, attributions });
    const answer = distributeBundle(chain);
    expect(sharesOf(answer)).toEqual(['ann 10000']);
    expect(answer.contents.at(-1)).toMatchObject({ cid: 'photo', distance: 0 });
  });

  it('gives a share to a marker with a weight, and to each entity of a later attribution', () => {
    const attributions = [creator('ann', 'photo', 3), marker('bo', 'copy', 1)];
    expect(sharesWith({ ...history, attributions }, { total: 4 })).toEqual(['ann 3', 'bo 1']);
    const contrib = { ...marker('bo', 'copy'), extensions: { 'ext:contrib@1.0.0': { weight: 3 } } };
    const weighted = [creator('ann', 'photo', 3), contrib];
    expect(sharesWith({ ...history, attributions: weighted }, { total: 4 })).toEqual(['ann 2', 'bo 2']);
    const later = withMore({ attributions: [creator('di', 'copy')] });
    expect(sharesWith(later, { total: 4 })).toEqual(['ann 2', 'di 2']);
    expect(sharesWith({ ...later, cid: 'photo' }, { total: 4 })).toEqual(['ann 4']);
  });

  it('causes no cycle if one of its ingredients was made from its original', () => {
    const bundle = bundleOf('copy', {
      actions: [made('photo'), made('crop', ['photo']), marking('copy', 'photo', ['crop'])],
      attributions: [creator('ann', 'photo'), creator('cy', 'crop'), marker('bo', 'copy')],
    });
    expect(sharesWith(bundle, { policy: 'all-ancestors', total: 3 })).toEqual(['ann 2', 'cy 1']);
  });

  it('of any content divides a total exactly as the content itself does', () => {
    const policies = fc.constantFrom('direct', 'parents', 'all-ancestors');
    fc.assert(
      fc.property(anyBundle, policies, (bundle, policy) => {
        const copy = 'a marked copy';
        const marked = {
          ...{ ...bundle, cid: copy },
          actions: [...bundle.actions, marking(copy, bundle.cid)],
          attributions: [...bundle.attributions, marker('bo', copy)],
        };
        const [ofCopy, ofContent] = [marked, bundle].map((one) => distributeBundle(one, { policy }));
        expect(ofCopy?.shares).toEqual(ofContent?.shares);
        const [own, ...others] = ofCopy?.contents ?? [];
        expect(own?.cid).toBe(copy);
        const withoutPath = ({ from: _, ...content }: (typeof others)[number]) => content;
        expect(others.map(withoutPath)).toEqual(ofContent?.contents.map(withoutPath));
      }),
    );
  });
});

describe('a marker', () => {
  const mark = marking('copy', 'photo');
  const changed = (change: Record<string, unknown>) => ({
    ...mark,
    extensions: { [MARK_EXTENSION]: { ...(mark.extensions[MARK_EXTENSION] as object), ...change } },
  });
  const shares = (...actions: LineageBundle['actions'][number][]) =>
    sharesWith({ ...history, actions: [made('photo'), ...actions] }, { total: 4 });

  it.each([
    ['states that no AI was used', changed({ aiDisclosure: null })],
    ['names no original', changed({ markedCid: undefined })],
    ['names a content that is no input', changed({ markedCid: 'sketch' })],
    ['names the output', changed({ markedCid: 'copy' })],
    ['has two outputs', { ...mark, outputCids: ['copy', 'other'] }],
    ['has a malformed extension', { ...mark, extensions: { [MARK_EXTENSION]: null } }],
  ])('keeps the share of the content if the action %s', (_, action) => {
    expect(shares(mark)).toEqual(['ann 4']);
    expect(shares(action)).toEqual(['bo 4']);
  });

  it('keeps the share of a copy that another action also made, unless the mark corrects that action', () => {
    expect(shares(made('copy', ['photo']), mark)).toEqual(['bo 4']);
    const extensions = { ...mark.extensions, [CORRECTION_EXTENSION]: { actionId: 'make copy' } };
    expect(shares(made('copy', ['photo']), { ...mark, extensions })).toEqual(['ann 4']);
  });

  it('keeps the share of a copy whose original nobody recorded', () => {
    const actions = [marking('copy', 'found')];
    const bundle = bundleOf('copy', { actions, attributions: [marker('bo', 'copy')] });
    expect(sharesWith(bundle, { policy: 'all-ancestors' })).toEqual(['bo 10000']);
    const byMark = { ...marker('bo', 'copy'), resourceCid: 'found' };
    const own = { ...bundle, attributions: [...bundle.attributions, byMark] };
    expect(sharesWith(own, {})).toEqual(['bo 10000']);
    const credited = { ...bundle, attributions: [...bundle.attributions, creator('ann', 'found')] };
    expect(sharesWith(credited, {})).toEqual(['ann 10000']);
  });

  it('keeps the share if marked copies name each other as originals', () => {
    const pair = bundleOf('x', {
      actions: [marking('x', 'y'), marking('y', 'x'), marking('z', 'y')],
      attributions: [marker('bo', 'x'), marker('cy', 'y'), marker('di', 'z')],
    });
    const ends = ['x', 'y', 'z'].map((cid) => sharesWith({ ...pair, cid }, { total: 1 }));
    expect(ends).toEqual([['bo 1'], ['cy 1'], ['di 1']]);
    expect(codeOf(() => distributeBundle(pair, { policy: 'all-ancestors' }))).toBe('CyclicBundle');
  });
});

describe('the records that explain shares', () => {
  const listRecords = (bundle: LineageBundle) => {
    const records = [...listShareRecords(bundle, distributeBundle(bundle))];
    return records.map(([cid, { attributions, actionIds }]) => [
      cid,
      attributions.map(({ entityId, role }) => `${entityId} ${role}`),
      actionIds,
    ]);
  };

  it('of a marked copy are those of its original, and attributions of the copy that earn a share', () => {
    expect(listRecords(history)).toEqual([
      ['copy', [], []],
      ['photo', ['ann creator'], ['make photo']],
    ]);
    const later = withMore({ attributions: [creator('di', 'copy')] });
    expect(listRecords(later)[1]).toEqual(['photo', ['ann creator', 'di creator'], ['make photo']]);
    const attributions = [{ ...marker('bo', 'copy', 1), role: 'ext:press' }, creator('ann', 'photo')];
    expect(listRecords({ ...history, attributions })[1]).toEqual(['photo', ['bo ext:press'], ['make photo']]);
  });

  it('include the action that made a copy if nobody recorded the original', () => {
    const actions = [marking('copy', 'found')];
    const bundle = bundleOf('copy', { actions, attributions: [marker('bo', 'copy')] });
    expect(listRecords(bundle)).toEqual([['copy', ['bo creator'], ['mark copy']]]);
  });

  it('leave out corrected actions and their attributions, and credits that give nothing', () => {
    const extensions = { [CORRECTION_EXTENSION]: { actionId: 'make photo' } };
    const correction = { ...made('photo'), id: 'again', extensions };
    const dropped = { ...creator('cy', 'photo'), actionId: 'make photo' };
    const source = { ...creator('di', 'photo'), role: 'source' };
    const attributions = [dropped, source, { ...creator('ann', 'photo'), actionId: 'again' }];
    const bundle = bundleOf('photo', { actions: [made('photo'), correction], attributions });
    expect(listRecords(bundle)).toEqual([['photo', ['ann creator'], ['again']]]);
  });
});

describe('the member `complete` of a marked copy', () => {
  const cut = { ...history, complete: false };
  it.each([
    ['true when the bundle contains an action that made a source of the original', true, cut],
    [
      'false when the bundle lacks the actions that made the sources of the original',
      false,
      { ...cut, actions: history.actions.slice(1) },
    ],
    [
      'false when the bundle may lack the records of the original',
      false,
      { ...cut, actions: [made('logo'), marking('copy', 'photo', ['logo'])], attributions: [] },
    ],
  ])('is %s', (_, complete, bundle) => {
    expect(distributeBundle(bundle).complete).toBe(complete);
  });
});
