import { createHash } from 'node:crypto';
import { canonicalJson } from '@colophon/model';
import { expect, it } from 'vitest';
import { fingerprintOf } from '../../src/http/handlers/idempotency.js';
import { countTurns } from '../support/count-turns.js';

it.each([
  ['no members', {}],
  ['lists and other members', { b: [{ z: 1, a: [2, { y: null }] }, 'x'], a: { d: 1, c: 'é' }, list: [] }],
  ['an absent member', { a: undefined, b: 1 }],
])('the fingerprint of a request with %s is the digest of its canonical JSON', async (_, asked) => {
  const given = JSON.parse(JSON.stringify(asked));
  const digest = createHash('sha256').update(canonicalJson(given)).digest('hex');
  expect(await fingerprintOf(asked)).toBe(digest);
});

it('other tasks run while the service computes the fingerprint of a large batch', async () => {
  const actions = Array.from({ length: 960 }, (_, place) => ({ performedBy: 'ann', note: `${place}` }));
  const turns = countTurns();
  await fingerprintOf({ actions });
  turns.stop();
  expect(turns.count).toBeGreaterThanOrEqual(960 / 32 - 1);
});
