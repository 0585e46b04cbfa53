import { expect, it } from 'vitest';
import { assertBounded } from '../../src/records/credentials/import-credentials.js';

it.each([
  ['actions', 500],
  ['entities', 2_000],
  ['attributions', 2_000],
] as const)('an import accepts %s up to %i, and names their number if the file has more', (list, most) => {
  const bundleOf = (count: number) => ({
    ...{ actions: [], entities: [], attributions: [], complete: true },
    [list]: Array.from({ length: count }),
  });
  expect(() => assertBounded(bundleOf(most))).not.toThrow();
  expect(() => assertBounded(bundleOf(most + 1))).toThrow(`The file has ${most + 1} ${list}.`);
});

it('an import refuses a bundle that lacks a part of the manifests', () => {
  const bundle = { actions: [], entities: [], attributions: [], complete: false };
  expect(() => assertBounded(bundle)).toThrow('too large to import them completely');
});
