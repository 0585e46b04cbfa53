import { expect, it } from 'vitest';
import { toValueRows } from '../src/public/to-value-rows.js';

it('toValueRows lists recorded values with their names, and nested values as deeper rows', () => {
  const rows = toValueRows({
    'ext:license@1.0.0': { spdx: 'CC-BY-4.0', contact: { mail: '' } },
    tags: ['sea', 'night'],
    layers: [{ name: 'sky', visible: true }, 2],
    session: null,
    empty: {},
  });
  expect(rows.map(({ depth, name, text }) => `${'> '.repeat(depth)}${name}: ${text ?? ''}`)).toEqual([
    'license: ',
    '> spdx: CC-BY-4.0',
    '> contact: ',
    '> > mail: –',
    'tags: sea, night',
    'layers: ',
    '> 1: ',
    '> > name: sky',
    '> > visible: true',
    '> 2: 2',
    'session: –',
    'empty: –',
  ]);
});

it('toValueRows shortens only the names of extensions', () => {
  const rows = toValueRows({
    'ext:c2pa@1.0.0': { '@type': 'Person', 'ann@example.org': 'owner', 'ext:': '', 'ext:a@b': '' },
  });
  expect(rows.map(({ name }) => name)).toEqual(['c2pa', '@type', 'ann@example.org', 'ext:', 'ext:a@b']);
});

it('toValueRows gives each row its own path, also for two versions of an extension', () => {
  const paths = toValueRows({ 'ext:a@1.0.0': { b: 1 }, 'ext:a@2.0.0': { b: 1 }, a: 1 }).map(
    ({ path }) => path,
  );
  expect(new Set(paths).size).toBe(paths.length);
});

it('toValueRows names the level of AI of a disclosure in the words of the page', () => {
  const rows = toValueRows({
    'ext:mark@1.0.0': { aiDisclosure: 'ai_assisted' },
    'ext:c2pa@1.0.0': { aiDisclosure: 'ai_generated' },
    'ext:other@1.0.0': { aiDisclosure: null, kind: 'ai_assisted' },
  });
  expect(rows.flatMap(({ text }) => text ?? [])).toEqual([
    'AI-edited (ai_assisted)',
    'AI-generated (ai_generated)',
    '–',
    'ai_assisted',
  ]);
});
