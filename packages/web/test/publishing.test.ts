import { expect, it } from 'vitest';
import { sayShown } from '../src/publishing/say-shown.js';
import { toWithheld } from '../src/publishing/to-publication.js';

const PLAIN = { withhold: [], hiddenEntities: [], titles: false, picture: false };
const ALL = ['names', 'wallets', 'metadata', 'notes', 'prompts', 'tools', 'details'] as const;

it('the list of links says in a few words which data each publication shows', () => {
  expect(sayShown({ ...PLAIN, withhold: ['wallets', 'metadata', 'notes', 'prompts', 'details'] })).toBe(
    'Shows: names and AI tools',
  );
  expect(sayShown({ ...PLAIN, withhold: [...ALL] })).toBe('Shows only the steps');
  expect(sayShown({ ...PLAIN, withhold: ['details'], hiddenEntities: 'all', picture: true })).toBe(
    'Shows: people under pseudonyms, notes, prompts, AI tools and the picture',
  );
  expect(sayShown({ ...PLAIN, withhold: [...ALL], hiddenEntities: ['studio:ann'], titles: true })).toBe(
    'Shows: some people under pseudonyms and titles of files',
  );
});

it('the dialog leaves out other data with each other kind of data, as the service does', () => {
  expect(toWithheld('names', ['wallets', 'metadata', 'notes', 'prompts', 'tools', 'details'])).toEqual([]);
  expect(toWithheld('none', ['wallets', 'metadata', 'notes', 'prompts', 'tools', 'details'])).toEqual([
    'names',
    'details',
  ]);
  expect(toWithheld('names', ['tools', 'details'])).toEqual([
    ...['wallets', 'metadata', 'notes', 'prompts', 'details'],
  ]);
});
