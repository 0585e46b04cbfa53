import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Queryable } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { draftAttribution } from '../../src/records/draft/draft-records.js';
import { readAttributions } from '../../src/records/read/read-attributions.js';
import { addAliasAttributions } from '../../src/records/read/read-leaved-history.js';
import { readLongBundle } from '../../src/records/read/read-long-history.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';

const PROJECT = randomUUID();
const MANY = 9_000;
const MOST_ROWS = 4_000;
const AT = new Date();
const TERMS = { direction: 'ancestors', depth: undefined, limit: 1_000 } as const;
/** Each action makes the content with its name, from the content of the next action in the list. */
const ACTIONS = ['last', 'middle', 'first'] as const;
const IDS = { last: randomUUID(), middle: randomUUID(), first: randomUUID(), alone: randomUUID() };

let databases: Databases;

const toAction = (id: string, inputCids: string[], output: string) =>
  toActionItem({ id, performedBy: 'ann', inputCids, outputCids: [output] });
const toAttributions = (count: number, of: { actionId?: string; resourceCid?: string }) =>
  Array.from({ length: count }, (_, place) => ({
    attributions: [
      draftAttribution({ id: randomUUID(), entityId: 'ann', role: `ext:a${place}`, ...of }, {}, AT),
    ],
  }));

beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  await recordItems(databases.provenance, PROJECT, [
    toEntityItem({ id: 'ann', role: 'human' }),
    toAction(IDS.first, [], 'first'),
    toAction(IDS.middle, ['first'], 'middle'),
    toAction(IDS.last, ['middle'], 'last'),
    toAction(IDS.alone, [], 'alone'),
    ...toAttributions(30, { actionId: IDS.last }),
    ...toAttributions(MANY, { actionId: IDS.middle }),
    ...toAttributions(MOST_ROWS, { actionId: IDS.middle, resourceCid: 'first' }),
    ...toAttributions(20, { resourceCid: 'first' }),
    ...toAttributions(MANY, { resourceCid: 'alone' }),
  ]);
}, 120_000);
afterAll(() => databases.close());

/** Each statement adds its number of rows to `rows`. */
function watched(): { db: Queryable; rows: number[] } {
  const rows: number[] = [];
  const query: Queryable['query'] = async (text, parameters) => {
    const found = await databases.provenance.query(text, parameters);
    rows.push(found.length);
    return found as never;
  };
  return { db: { query }, rows };
}

async function read(cid: string, limits: { maxBytes?: number; maxItems?: number; maxLeaved?: number }) {
  const { db, rows } = watched();
  const { maxLeaved, ...others } = limits;
  const options = { ...TERMS, cid, ...(maxLeaved === undefined ? {} : { maxLeaved }) };
  const { counts, isComplete } = await readLongBundle({ db, projectId: PROJECT, ...others }, options);
  return { counts, isComplete, most: Math.max(...rows), sum: rows.reduce((sum, count) => sum + count, 0) };
}

it('a history within the limits has all attributions, and each statement returns at most 4,000 rows', async () => {
  const whole = await read('last', {});
  expect(whole).toMatchObject({
    counts: { actions: 3, attributions: 50 + MANY + MOST_ROWS },
    isComplete: true,
  });
  expect(whole.most).toBeLessThanOrEqual(MOST_ROWS);
  const alone = await read('alone', {});
  expect(alone).toMatchObject({ counts: { actions: 1, attributions: MANY }, isComplete: true });
  expect(alone.most).toBeLessThanOrEqual(MOST_ROWS);
});

it.each([
  ['bytes', { maxBytes: 100_000 }],
  ['records', { maxItems: 1_000 }],
  ['records with a proof', { maxLeaved: 1_000 }],
])(
  'a read ends where attributions exceed the limit of %s, and the history is incomplete',
  async (_, limits) => {
    const cut = await read('last', limits);
    expect(cut).toMatchObject({ counts: { actions: 1, attributions: 30 }, isComplete: false });
    expect(cut.sum).toBeLessThan(1.5 * MOST_ROWS);
    for (const cid of ['middle', 'alone']) {
      const first = await read(cid, limits);
      expect(first).toMatchObject({ counts: { actions: 1 }, isComplete: false });
      expect(first.counts.attributions).toBeGreaterThan(300);
      expect(first.counts.attributions).toBeLessThanOrEqual(1_000);
      expect(first.most).toBeLessThanOrEqual(MOST_ROWS);
      expect(first.sum).toBeLessThan(2.5 * MOST_ROWS);
    }
  },
);

it('attributions are read completely up to the action at which they exceed the limit', async () => {
  const { db, rows } = watched();
  const source = { db, projectId: PROJECT };
  const readUpTo = (items: number) =>
    readAttributions(source, {
      by: 'action',
      ids: [...ACTIONS.map((name) => IDS[name]), IDS.alone],
      most: { bytes: Number.MAX_VALUE, items },
    });
  const all = await readUpTo(30 + MANY + MOST_ROWS);
  expect(all.hasAll).toBe(true);
  expect(new Set(all.attributions.map(({ id }) => id)).size).toBe(30 + MANY + MOST_ROWS);
  rows.length = 0;
  const few = await readUpTo(100);
  expect(few.hasAll).toBe(false);
  expect(few.attributions.filter(({ actionId }) => actionId === IDS.last)).toHaveLength(30);
  expect(rows).toEqual([30 + MOST_ROWS / 4]);
});

it('when an alias has too many attributions, the bundle omits all of them and is incomplete', async () => {
  const { db, rows } = watched();
  const bundle = {
    ...{ cid: 'made', aliases: { alone: 'made' }, complete: true },
    ...{ actions: [], entities: [], resources: [], attributions: [] },
  };
  const found = await addAliasAttributions(db, PROJECT, { bundle, leaves: [], maxItems: 1_000 });
  expect(found).toEqual({ bundle: { ...bundle, complete: false, truncatedAt: 0 }, leaves: [] });
  expect(rows).toEqual([MOST_ROWS]);
});
