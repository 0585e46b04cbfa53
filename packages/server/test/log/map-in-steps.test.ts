import { createHash } from 'node:crypto';
import { createMap, type MapEntry, walkMap } from '@colophon/model';
import { expect, it } from 'vitest';
import { createSha256 } from '../../src/transparency-log/create-sha256.js';
import { createMapInSteps } from '../../src/transparency-log/map-in-steps.js';
import { countTurns } from '../support/count-turns.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Sorted entries whose keys begin with the same `zeros` zero bytes. */
function toEntries(count: number, zeros: number): MapEntry[] {
  const toKey = (place: number) => Buffer.concat([Buffer.alloc(zeros), sha256(`key ${place}`)]);
  const keys = Array.from({ length: count }, (_, place) => toKey(place).subarray(0, 32));
  return keys.sort(Buffer.compare).map((key, place) => ({ key, hash: sha256(`leaf ${place}`) }));
}

const CASES = [1, 2, 256, 257, 1_000, 5_000].flatMap((count) =>
  [0, 2, 9].map((zeros): [number, number] => [count, zeros]),
);

it.each(CASES)(
  'a map of %i keys with %i equal leading bytes has the root and the paths of createMap',
  async (count, zeros) => {
    const entries = toEntries(count, zeros);
    const whole = createMap(entries, createSha256);
    const inSteps = await createMapInSteps(entries);
    if (whole === undefined || inSteps === undefined) throw new Error('The map is empty');
    expect(inSteps.hash).toEqual(whole.hash);
    const held = entries.filter((_, place) => place % 97 === 0).map(({ key }) => key);
    const absent = Array.from({ length: 50 }, (_, place) => sha256(`absent ${place}`));
    for (const key of [...held, ...absent]) expect(inSteps.walk(key)).toEqual(walkMap(whole, key));
  },
);

it('a map without entries is undefined', async () => {
  expect(await createMapInSteps([])).toBeUndefined();
});

it('other tasks run after about every 256 entries', async () => {
  const turns = countTurns();
  await createMapInSteps(toEntries(5_000, 2));
  turns.stop();
  expect(turns.count).toBeGreaterThanOrEqual(Math.floor(5_000 / 256));
});
