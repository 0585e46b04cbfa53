import { describe, expect, it } from 'vitest';
import { failureOf, openIdAddress } from '../src/manage/by-provider.js';
import { layOutBars } from '../src/manage/lay-out-bars.js';
import { rolesUpTo } from '../src/manage/roles-up-to.js';
import { sayDetails } from '../src/manage/say-details.js';
import { stateOfKey } from '../src/manage/state-of-key.js';
import { toSlug } from '../src/manage/to-slug.js';

describe('bars of usage', () => {
  const box = { width: 100, height: 50 };
  const day = (total: number, success: number) => ({ date: '2026-01-01', total, success });

  it('give the busiest day full height, and stack failed calls on successful ones', () => {
    const { bars, most } = layOutBars([day(10, 5), day(5, 5)], box);
    expect(most).toBe(10);
    expect(bars.map(({ good, failed }) => [good, failed])).toEqual([
      [
        { y: 25, height: 25 },
        { y: 0, height: 25 },
      ],
      [
        { y: 25, height: 25 },
        { y: 25, height: 0 },
      ],
    ]);
    for (const { x, width } of bars) expect(x + width).toBeLessThanOrEqual(100);
  });

  it('have no height on days without calls, and are absent without days', () => {
    expect(layOutBars([day(0, 0)], box).bars[0]?.good.height).toBe(0);
    expect(layOutBars([], box)).toEqual({ bars: [], most: 0 });
  });
});

it.each([
  ['Daily Planet', 'daily-planet'],
  ['  Évening & Stär ', 'evening-star'],
  ['ひ', ''],
  ['x'.repeat(60), 'x'.repeat(40)],
])('the slug of %j is %j', (name, slug) => {
  expect(toSlug(name)).toBe(slug);
});

it('a key is in use until it is revoked or expires', () => {
  const at = (revokedAt: string | null, expiresAt: string | null) =>
    stateOfKey({ revokedAt, expiresAt }, Date.parse('2026-06-01T00:00:00Z'));
  expect(at(null, null)).toBe('live');
  expect(at(null, '2026-07-01T00:00:00Z')).toBe('live');
  expect(at(null, '2026-06-01T00:00:00Z')).toBe('expired');
  expect(at('2026-05-01T00:00:00Z', '2026-07-01T00:00:00Z')).toBe('revoked');
});

it('an admin can assign the roles `admin`, `developer` and `viewer`', () => {
  expect(rolesUpTo('admin')).toEqual(['admin', 'developer', 'viewer']);
});

it('the page shows the details of a change in one line, without ids and empty values', () => {
  expect(sayDetails({ id: '7', name: 'a', life: null, none: [], empty: '', fields: ['x'] })).toBe(
    'name: a, fields: ["x"]',
  );
});

it('the address of a sign-in at the provider has the path to return to, and error codes have texts', () => {
  expect(openIdAddress('/app/manage')).toBe('/app/api/openid/begin?returnTo=%2Fapp%2Fmanage');
  expect(failureOf('')).toBeUndefined();
  expect(failureOf('?sign-in=late')).toContain('too long');
  expect(failureOf('?sign-in=anything')).toContain('could not reach the provider');
});
