import { CORRECTION_EXTENSION, distributeBundle } from '@colophon/model';
import { expect, it } from 'vitest';
import { countUnmade } from '../src/shares/share-rows.js';
import { actionOf, bundleOf } from './support/histories.js';

it('counts the sources that no step made, and those that only a corrected step made', () => {
  const extensions = { [CORRECTION_EXTENSION]: { actionId: 'a' } };
  const made = actionOf('a', 0, { outputCids: ['left', 'right'] });
  const correction = actionOf('b', 1, { outputCids: ['right'], extensions });
  const combined = actionOf('c', 2, { inputCids: ['left', 'right', 'found'], outputCids: ['own'] });
  const count = (...actions: ReturnType<typeof actionOf>[]) => {
    const bundle = bundleOf('own', actions);
    return countUnmade(distributeBundle(bundle, { policy: 'parents' }), bundle);
  };
  expect(count(made, combined)).toBe(1);
  expect(count(made, correction, combined)).toBe(2);
});
