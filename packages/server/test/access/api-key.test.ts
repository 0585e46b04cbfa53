import { expect, it } from 'vitest';
import { createApiKeyText, isApiKeyText, keyDigest, shownPrefix } from '../../src/access/api-key.js';
import { namedProjectId } from '../../src/access/create-key.js';

it('a key has the prefix, 40 random characters, and a checksum that detects one changed character', () => {
  const key = createApiKeyText();
  expect(key).toMatch(/^pk_live_[0-9A-Za-z]{46}$/);
  expect(isApiKeyText(key)).toBe(true);
  for (let index = 0; index < key.length; index++) {
    const typo = key.slice(0, index) + (key[index] === 'x' ? 'y' : 'x') + key.slice(index + 1);
    expect(isApiKeyText(typo), typo).toBe(false);
  }
  for (const text of ['', 'pk_live_', key.slice(1), `${key}0`, key.toLowerCase()]) {
    expect(isApiKeyText(text)).toBe(false);
  }
});

it('1,000 keys differ, and the displayed part of a key has 16 characters and its digest 32 bytes', () => {
  const keys = Array.from({ length: 1000 }, createApiKeyText);
  expect(new Set(keys).size).toBe(1000);
  expect(shownPrefix(keys[0] ?? '')).toHaveLength(16);
  expect(keyDigest(keys[0] ?? '')).toHaveLength(32);
});

it('a project name in the configuration always gives the same UUID of version 8', () => {
  expect(namedProjectId('default')).toBe(namedProjectId('default'));
  expect(namedProjectId('default')).not.toBe(namedProjectId('other'));
  expect(namedProjectId('default')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});
