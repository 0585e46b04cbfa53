import { CORRECTION_EXTENSION, distributeBundle } from '@colophon/model';
import { expect, it } from 'vitest';
import { countUnmade } from '../src/shares/share-rows.js';
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
