import { expect, it } from 'vitest';
import { sayShown } from '../src/publishing/say-shown.js';

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
