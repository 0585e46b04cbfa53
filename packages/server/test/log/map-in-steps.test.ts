import { createHash } from 'node:crypto';
import { checkWholeHistory, createMap, type MapEntry, walkMap } from '@colophon/model';
import { expect, it } from 'vitest';
import { everyYielding } from '../../src/platform/work/map-yielding.js';
import { createSha256 } from '../../src/transparency-log/create-sha256.js';
import { createMapInSteps } from '../../src/transparency-log/map-in-steps.js';
import { sortByKey } from '../../src/transparency-log/prove-mentions.js';
import { countTurns } from '../support/count-turns.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** The keys begin with the same `zeros` zero bytes. */
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

it('sorting many names by their keys lets other requests run, and ends when nobody waits', async () => {
  const names = Array.from({ length: 5_000 }, (_, place) => ({ name: `name ${place}` }));
  const turns = countTurns();
  const keys = (await sortByKey(names)).map(({ key }) => key);
  turns.stop();
  expect(keys).toEqual(keys.toSorted(Buffer.compare));
  expect(turns.count).toBeGreaterThanOrEqual(Math.floor(names.length / 32));
  await expect(sortByKey(names, AbortSignal.abort(new Error('nobody waits')))).rejects.toThrow(
    'nobody waits',
  );
});

/** 50 actions lead from the same 50 contents to 50 others, and one action from those to `end`. */
function toDenseHistory(onLink: () => void) {
  const name = (kind: string) => Array.from({ length: 50 }, (_, place) => `${kind} ${place}`);
  const last = { id: 'last', inputCids: name('made'), outputCids: ['end'] };
  const between = name('action').map((id) => ({ id, inputCids: name('source'), outputCids: name('made') }));
  const aliases = new Proxy<Record<string, string>>(
    {},
    {
      getOwnPropertyDescriptor() {
        onLink();
        return undefined;
      },
    },
  );
  const mentions = { statement: { leaves: 0 }, byName: {} };
  const proof = { direction: 'ancestors', records: [], mentions } as const;
  return { cid: 'end', aliases, actions: [last, ...between], proof };
}

it('the check of a history follows each action once, and pauses after each content', async () => {
  let links = 0;
  const history = toDenseHistory(() => {
    links += 1;
  });
  const turns = countTurns();
  expect(await everyYielding(checkWholeHistory(history, () => true))).toBe(true);
  turns.stop();
  expect(links).toBeLessThan(51 * 50 + 10);
  expect(turns.count).toBeGreaterThanOrEqual(3);
  const stopped = everyYielding(
    checkWholeHistory(history, () => true),
    AbortSignal.abort(new Error('nobody waits')),
  );
  await expect(stopped).rejects.toThrow('nobody waits');
});
