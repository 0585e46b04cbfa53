import { expect, it } from 'vitest';
import { findLicenses } from '../src/publishing/find-licenses.js';
import { sayOtherData } from '../src/publishing/say-other-data.js';
import { sayShown } from '../src/publishing/say-shown.js';
import { toWithheld } from '../src/publishing/to-publication.js';
import { namesOfReplaced } from '../src/shell/correction.js';
import { publish } from '../src/strings/publish.js';
import { actionOf, bundleOf } from './support/histories.js';

const PLAIN = { withhold: [], hiddenEntities: [], titles: false, picture: false, license: false };
const ALL = ['names', 'wallets', 'metadata', 'notes', 'prompts', 'tools', 'details'] as const;

it('the list of links says in a few words which data each publication shows', () => {
  expect(sayShown({ ...PLAIN, withhold: ['wallets', 'metadata', 'notes', 'prompts', 'details'] })).toBe(
    'Shows: names and AI tools',
  );
  expect(sayShown({ ...PLAIN, withhold: [...ALL] })).toBe('Shows only the steps');
  expect(sayShown({ ...PLAIN, withhold: ['details'], hiddenEntities: 'all', picture: true })).toBe(
    'Shows: people under pseudonyms, notes, prompts, AI tools and the picture',
  );
  expect(sayShown({ ...PLAIN, withhold: [...ALL], license: true })).toBe('Shows: the licence');
  expect(sayShown({ ...PLAIN, withhold: [...ALL], hiddenEntities: ['studio:ann'], titles: true })).toBe(
    'Shows: some people under pseudonyms and titles of files',
  );
});

it('the list of links names each history by the title of its content, or else by the content id', () => {
  const cid = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
  expect(publish.toHistory('Harbour', cid)).toBe('History of “Harbour”');
  expect(publish.toHistory(undefined, cid)).toBe('History of content bafkreig…4s52zy');
});

it('the dialog names the performers of corrected entries, unless another entry of the history is theirs', () => {
  const by = (id: string, performedBy: string, actionId?: string) =>
    actionOf(id, 1, {
      ...{ performedBy, outputCids: ['own'] },
      ...(actionId === undefined ? {} : { extensions: { 'ext:correction@1.0.0': { actionId } } }),
    });
  const replaced = bundleOf('own', [by('a', 'ben'), by('b', 'mia', 'a')]);
  expect(namesOfReplaced(replaced)).toEqual(['ben']);
  expect(namesOfReplaced(bundleOf('own', [...replaced.actions, by('c', 'ben')]))).toEqual([]);
  expect(namesOfReplaced(bundleOf('own', [by('a', 'ben'), by('b', 'ben', 'a')]))).toEqual([]);
});

it('the dialog withholds `details` whenever it withholds any other data', () => {
  expect(toWithheld('names', ['wallets', 'metadata', 'notes', 'prompts', 'tools', 'details'])).toEqual([]);
  expect(toWithheld('none', ['wallets', 'metadata', 'notes', 'prompts', 'tools', 'details'])).toEqual([
    'names',
    'details',
  ]);
  expect(toWithheld('names', ['tools', 'details'])).toEqual([
    ...['wallets', 'metadata', 'notes', 'prompts', 'details'],
  ]);
});

it('the dialog names the data of the history that only the choice `details` publishes', () => {
  const granted = { 'ext:license@1.0.0': { type: 'CC-BY-4.0', grantedBy: 'studio:ann' } };
  const made = actionOf('a', 1, { outputCids: ['own'], extensions: granted });
  expect(sayOtherData(bundleOf('own', [actionOf('b', 0), { ...made, sessionId: 's' }]))).toBe(
    'Other data of this history: ext:license and session ids. You can only show all of it together.',
  );
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'source' };
  const copy = actionOf('b', 0, { inputCids: ['source'], extensions: { 'ext:mark@1.0.0': mark } });
  expect(sayOtherData(bundleOf('own', [copy]))).toBe('This history has no other data.');
  expect(sayOtherData(bundleOf('own', [{ ...copy, inputCids: ['other'] }]))).toContain('ext:mark');
  const [resource] = bundleOf('own', [made]).resources;
  const pictured = {
    ...bundleOf('own', [made]),
    resources: resource ? [{ ...resource, extensions: { 'ext:c2pa@1.0.0': {} } }] : [],
  };
  expect(sayOtherData(pictured)).toContain('ext:c2pa and ext:license');
  const licensed = actionOf('b', 0, { extensions: { 'ext:license@1.0.0': { type: 'CC-BY-4.0' } } });
  const tool = { provider: 'Adobe', model: 'Firefly' };
  const byAi = actionOf('b', 0, { extensions: { 'ext:ai@1.0.0': { tool } } });
  for (const action of [actionOf('b', 0), licensed, byAi])
    expect(sayOtherData(bundleOf('own', [action]))).toBe('This history has no other data.');
});

it('the dialog finds the licence of the file, and the licences of its history', () => {
  const licensed = (type: string) => ({ extensions: { 'ext:license@1.0.0': { type } } });
  const source = actionOf('a', 0, { outputCids: ['source'], ...licensed('MIT') });
  const made = actionOf('b', 1, { inputCids: ['source'], outputCids: ['own'], ...licensed('CC-BY-4.0') });
  expect(findLicenses(bundleOf('own', [source, made]))).toEqual({
    own: ['CC-BY-4.0'],
    all: ['MIT', 'CC-BY-4.0'],
  });
  expect(findLicenses(bundleOf('own', [source, { ...made, extensions: {} }]))).toEqual({
    own: [],
    all: ['MIT'],
  });
});
