import type { TitledResource } from '@colophon/model';
import { expect, it } from 'vitest';
import { sayMakers } from '../src/library/content-card.js';
import { isWordless, parseFilters, toAddressQuery, toResourceQuery } from '../src/library/filters.js';

it.each([
  '',
  '?title=harb+fest',
  '?title=Z%C3%BCrich%26co&maker=studio%3Aann&tool=Acme+painter-7&ai=generated&type=image&from=2026-08-02&to=2026-08-31',
])('the address %j keeps its filters', (query) => {
  expect(toAddressQuery(parseFilters(query))).toBe(query);
});

it('the library reads the maker from an address of an earlier version', () => {
  expect(toResourceQuery(parseFilters('?creator=studio%3Aann'))).toEqual({ maker: 'studio:ann' });
});

it('the library ignores unknown members and invalid values of an address', () => {
  expect(toAddressQuery(parseFilters('?ai=much&from=2026-02-xx&to=0001-01-01&other=1&title=+'))).toBe('');
});

it('the library sends at most five words of a title, without punctuation, and only complete days', () => {
  const query = toResourceQuery(parseFilters('?title=a,b!+c+d+e+f&from=2026-08-02&to=2026-08-02&type=text'));
  const { since, until, ...rest } = query;
  expect(rest).toEqual({ title: 'a b c d e', type: 'text' });
  expect(Date.parse(String(until)) - Date.parse(String(since))).toBe(86_400_000);
  expect(toResourceQuery(parseFilters('?title=%21%21'))).toEqual({});
});

it('isWordless is true for a text with punctuation but without letters and digits', () => {
  expect(['!?', ' – ', 'a!', '7', 'é', '猫', ' ', ''].map(isWordless)).toEqual([
    ...[true, true],
    ...[false, false, false, false, false, false],
  ]);
});

it('a card adds `(corrected)` to the makers only if a correction named one of these makers', () => {
  const [ann, bo] = [
    { id: 'ann', name: 'Ann' },
    { id: 'bo', name: 'Bo' },
  ];
  const nameOf = (given: Partial<TitledResource>) => sayMakers(given as TitledResource);
  expect(nameOf({ makers: [bo], correctedMaker: bo })).toBe('by Bo (corrected)');
  expect(nameOf({ creatorName: 'Bo', correctedMaker: bo })).toBe('by Bo (corrected)');
  expect(nameOf({ makers: [bo], correctedMaker: ann })).toBe('by Bo');
  expect(nameOf({ makers: [ann, bo] })).toBe('by Ann and Bo');
  expect(nameOf({ makers: [] })).toBe('');
});
