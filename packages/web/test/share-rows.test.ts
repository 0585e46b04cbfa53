import { CORRECTION_EXTENSION, distributeBundle, MARK_EXTENSION } from '@colophon/model';
import { expect, it } from 'vitest';
import { countUnmade, isSharedByDefault, toRows } from '../src/shares/share-rows.js';
import { actionOf, bundleOf } from './support/histories.js';

it('countUnmade counts the sources that no step made, except those that only a corrected step used', () => {
  const extensions = { [CORRECTION_EXTENSION]: { actionId: 'a' } };
  const made = actionOf('a', 0, { inputCids: ['old'], outputCids: ['left', 'right'] });
  const correction = actionOf('b', 1, { outputCids: ['left', 'right'], extensions });
  const combined = actionOf('c', 2, { inputCids: ['left', 'right', 'found'], outputCids: ['own'] });
  const count = (...actions: ReturnType<typeof actionOf>[]) => {
    const bundle = bundleOf('own', actions);
    return countUnmade(distributeBundle(bundle, { policy: 'all-ancestors' }), bundle);
  };
  expect(count(made, combined)).toBe(2);
  expect(count(made, correction, combined)).toBe(1);
});

it('isSharedByDefault is true only if a content without weights has several makers', () => {
  const photo = actionOf('a', 0, { type: 'create', outputCids: ['photo'] });
  const edit = actionOf('b', 1, { inputCids: ['photo'], outputCids: ['own'], performedBy: 'studio:bo' });
  const further = actionOf('c', 2, { outputCids: ['own'] });
  const creditOf = ({ id, performedBy, outputCids: [resourceCid = ''] }: typeof photo, weight?: number) => ({
    ...{ id: `credit ${id}`, entityId: performedBy, actionId: id, role: 'creator', resourceCid },
    ...{ createdAt: photo.timestamp, ...(weight === undefined ? {} : { weight }) },
  });
  const isShared = (actions: (typeof photo)[], weight?: number) => {
    const attributions = actions.map((action) => creditOf(action, weight));
    return isSharedByDefault(distributeBundle({ ...bundleOf('own', actions), attributions }));
  };
  expect(isShared([photo, edit])).toBe(false);
  expect(isShared([photo, edit, further])).toBe(true);
  expect(isShared([photo, edit, further], 1)).toBe(false);
});

it('explains the share of a marked copy by its original, and shows the path from the copy to the original', () => {
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'photo' };
  const made = actionOf('a', 0, { type: 'create', outputCids: ['photo'] });
  const copy = actionOf('b', 1, {
    ...{ inputCids: ['photo'], outputCids: ['own'], performedBy: 'studio:bo' },
    extensions: { [MARK_EXTENSION]: mark },
  });
  const credits = [made, copy].map(({ id, performedBy, outputCids: [resourceCid] }) => ({
    ...{ id: `credit ${id}`, entityId: performedBy, actionId: id, role: 'creator' },
    ...{ resourceCid: resourceCid ?? '', createdAt: made.timestamp },
  }));
  const bundle = { ...bundleOf('own', [made, copy]), attributions: credits };
  const distribution = distributeBundle(bundle);
  expect(countUnmade(distribution, bundle)).toBe(0);
  expect(toRows(distribution, bundle)).toMatchObject([
    {
      entityId: 'studio:ann',
      percent: '100.00 %',
      earned: [{ cid: 'photo', way: ['this content', 'content …photo'] }],
    },
  ]);
});

it('names the steps of each person, and the credit of a person without a step', () => {
  const fill = { provider: 'Acme', model: 'fill' };
  const made = actionOf('a', 0, { type: 'create', outputCids: ['own'] });
  const later = [1, 2, 3].map((hour) => actionOf(`b${hour}`, hour, { outputCids: ['own'], aiTool: fill }));
  const credit = (entityId: string, role: string, note?: string) => ({
    ...{ id: `credit ${entityId}`, entityId, resourceCid: 'own', role, weight: 1 },
    ...(note === undefined ? {} : { note }),
    createdAt: made.timestamp,
  });
  const bundle = {
    ...bundleOf('own', [made, ...later]),
    attributions: [
      credit('studio:ann', 'creator'),
      credit('studio:bo', 'contributor', 'the light'),
      credit('studio:cy', 'ext:press'),
    ],
  };
  const rows = toRows(distributeBundle(bundle), bundle);
  const reasons = new Map(rows.map(({ entityId, earned: [first] }) => [entityId, first?.description]));
  expect(reasons.get('studio:ann')).toBe(
    'studio:ann made this file; studio:ann edited this file with AI (Acme fill); and 2 more steps',
  );
  expect(reasons.get('studio:bo')).toBe('studio:bo contributed to this file: the light');
  expect(reasons.get('studio:cy')).toBe('studio:cy is credited for this file');
});

it('gives attributions as the reason of a share, also of a marked copy, not of a corrected step', () => {
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'photo' };
  const wrong = actionOf('a', 0, { type: 'create', outputCids: ['photo'] });
  const correction = { [CORRECTION_EXTENSION]: { actionId: 'a' } };
  const right = actionOf('b', 1, { type: 'create', outputCids: ['photo'], extensions: correction });
  const extensions = { [MARK_EXTENSION]: mark };
  const copy = actionOf('c', 2, { inputCids: ['photo'], outputCids: ['own'], extensions });
  const creditOf = (entityId: string, resourceCid: string, given: { actionId?: string; note: string }) => ({
    ...{ id: `credit ${given.note}`, entityId, resourceCid, role: 'contributor', weight: 1 },
    ...{ createdAt: wrong.timestamp, ...given },
  });
  const attributions = [
    creditOf('studio:bo', 'photo', { actionId: 'a', note: 'the wrong light' }),
    creditOf('studio:bo', 'photo', { actionId: 'b', note: 'the light' }),
    creditOf('studio:cy', 'own', { note: 'the mark' }),
  ];
  const bundle = { ...bundleOf('own', [wrong, right, copy]), attributions };
  const rows = toRows(distributeBundle(bundle), bundle);
  expect(rows.map(({ earned: [first] }) => first?.description)).toEqual([
    'studio:bo contributed to the file …photo: the light',
    'studio:cy contributed to the file …photo: the mark',
  ]);
});
