import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Queryable } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { paced } from '../../src/platform/db/paced.js';
import { toText } from '../../src/platform/json-text.js';
import { createBundleRows } from '../../src/records/read/bundle-rows.js';
import { type HistoryDeps, readBundle } from '../../src/records/read/read-histories.js';
import { readLongBundle } from '../../src/records/read/read-long-history.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';
import { openScheduler } from '../support/scheduler.js';

const PROJECT = randomUUID();
const LAYERS = 24;
const WIDTH = 40;
const TERMS = { cid: `${LAYERS - 1} 0`, direction: 'ancestors', depth: 32, limit: 1_000 } as const;

let databases: Databases;

beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  const places = Array.from({ length: LAYERS * WIDTH }, (_, place) => place);
  const actions = places.map((place) => toItem(Math.floor(place / WIDTH), place % WIDTH));
  await recordItems(databases.provenance, PROJECT, [toEntityItem({ id: 'ann', role: 'human' }), ...actions]);
}, 60_000);
afterAll(() => databases.close());

function toItem(layer: number, place: number) {
  const inputs = layer === 0 ? [] : Array.from({ length: WIDTH }, (_, below) => `${layer - 1} ${below}`);
  return toAction(inputs, `${layer} ${place}`);
}

function toAction(inputCids: string[], output: string) {
  return toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids, outputCids: [output] });
}

const toDeps = (reads: Queryable): HistoryDeps => ({
  reads,
  bundles: createBundleRows(reads),
  scheduler: openScheduler(),
});

/** Calls `onStatement` before each statement. */
function watched(onStatement: (count: number) => void = () => {}): { db: Queryable; rows: number[] } {
  const rows: number[] = [];
  const query: Queryable['query'] = async (text, parameters) => {
    onStatement(rows.length);
    const found = await databases.provenance.query(text, parameters);
    rows.push(found.length);
    return found as never;
  };
  return { db: { query }, rows };
}

it('the read of a long history checks before each further statement whether other projects have requests', async () => {
  const { db, rows } = watched();
  const asked: string[] = [];
  const hasOtherRequests = (projectId: string) => {
    asked.push(projectId);
    return rows.length % 2 === 0;
  };
  const { text } = await readBundle({ ...toDeps(db), hasOtherRequests }, PROJECT, TERMS);
  expect(JSON.parse(toText(text ?? '{}')).complete).toBe(true);
  expect(new Set(asked)).toEqual(new Set([PROJECT]));
  // Two statements have no check before them: the attempt to read the whole history at once, and the first statement of
  // the long read.
  expect(asked).toHaveLength(rows.length - 2);
});

it('a paced read pauses only while others wait, and for at most 20 ms after each statement', async () => {
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  let isContended = false;
  const slow: Queryable = {
    async query() {
      const endsAtMs = performance.now() + 30;
      while (performance.now() < endsAtMs);
      return [];
    },
  };
  const { query } = paced(slow, () => isContended, pause);
  await query('select 1');
  await query('select 1');
  expect(pauses).toEqual([]);
  isContended = true;
  await query('select 1');
  expect(pauses).toEqual([20]);
});

it('a history of many actions is read completely, by statements that each return at most 4,000 rows', async () => {
  const { db, rows } = watched();
  const { text } = await readBundle(toDeps(db), PROJECT, TERMS);
  const { actions, complete } = JSON.parse(toText(text ?? '{}'));
  expect(actions).toHaveLength((LAYERS - 1) * WIDTH + 1);
  expect(complete).toBe(true);
  expect(rows.length).toBeGreaterThan(50);
  expect(Math.max(...rows)).toBeLessThanOrEqual(4_000);
});

it('a long read sends no more statements after all its callers have disconnected', async () => {
  const gone = new AbortController();
  const { db, rows } = watched((count) => {
    if (count === 5) gone.abort();
  });
  await expect(readBundle(toDeps(db), PROJECT, { ...TERMS, signal: gone.signal })).rejects.toThrow();
  expect(rows).toHaveLength(6);
});

it('a long history is read again after a concurrent recording, so the answer shows one state of the project', async () => {
  const { db, rows } = watched();
  await readBundle(toDeps(db), PROJECT, TERMS);
  const once = rows.length;
  let isRecorded = false;
  const disturbed = watched((count) => {
    if (count !== 5 || isRecorded) return;
    isRecorded = true;
    void recordItems(databases.provenance, PROJECT, [toItem(LAYERS, 0)]);
  });
  const { text, revision } = await readBundle(toDeps(disturbed.db), PROJECT, {
    ...TERMS,
    cid: `${LAYERS - 1} 1`,
  });
  expect(JSON.parse(toText(text ?? '{}')).complete).toBe(true);
  expect(revision).toBeDefined();
  expect(disturbed.rows.length).toBeGreaterThan(1.8 * once);
});

it('a history of descendants contains all 4,200 actions that used one content', async () => {
  const count = 4_200;
  const cids = Array.from({ length: count }, (_, place) => `used ${place}`);
  const items = cids.map((cid) => toAction(['popular'], cid));
  await recordItems(databases.provenance, PROJECT, items);
  const options = { cid: 'popular', direction: 'descendants', depth: undefined, limit: 10_000 } as const;
  const { db, rows } = watched();
  const { text } = await readBundle(toDeps(db), PROJECT, options);
  const { actions, complete } = JSON.parse(toText(text ?? '{}'));
  expect([actions.length, complete]).toEqual([count, true]);
  expect(Math.max(...rows)).toBeLessThanOrEqual(4_000);
});

it('a long read looks up no content beyond the limit of an answer', async () => {
  const project = randomUUID();
  const entity = toEntityItem({ id: 'ann', role: 'human' });
  const names = (of: string) => Array.from({ length: 100 }, (_, place) => `${of} ${place}`);
  const items = [
    entity,
    ...names('out')
      .slice(0, 20)
      .map((out) => toAction(names(`in of ${out}`), out)),
  ];
  const last = toAction(names('out').slice(0, 20), 'last');
  await recordItems(databases.provenance, project, [...items, last]);
  const options = { cid: 'last', direction: 'ancestors', depth: undefined, limit: 1_000 } as const;
  const read = async (maxBytes: number | undefined) => {
    const { db, rows } = watched();
    const source = { db, projectId: project, maxBytes };
    const { counts, isComplete } = await readLongBundle(source, options);
    return { counts, isComplete, statements: rows.length };
  };
  const whole = await read(undefined);
  expect(whole).toMatchObject({ counts: { actions: 21 }, isComplete: true });
  const cut = await read(150_000);
  expect(cut).toMatchObject({ counts: { actions: 3 }, isComplete: false });
  expect(cut.statements).toBeLessThan(whole.statements - 30);
});

it('a long read reads few actions at a time if each names much content', async () => {
  const project = randomUUID();
  const names = Array.from({ length: 1_000 }, (_, place) => `sha256:${String(place).padStart(64, '0')}`);
  const parts = Array.from({ length: 20 }, (_, place) => toAction(names, `part ${place}`));
  const whole = toAction(
    parts.map(({ action }) => action.body.outputCids[0] ?? ''),
    'whole',
  );
  const items = [toEntityItem({ id: 'ann', role: 'human' }), ...parts, whole];
  await recordItems(databases.provenance, project, items);
  const counts = { read: [] as number[], namesLookedUp: [] as number[] };
  const query: Queryable['query'] = async (text, parameters = []) => {
    const rows = await databases.provenance.query<{ inputs?: string[] }>(text, parameters);
    counts.read.push(rows.reduce((sum, { inputs }) => sum + (inputs?.length ?? 0), 0));
    if (text.includes('jsonb_array_elements_text'))
      counts.namesLookedUp.push((parameters[1] as string[]).length);
    return rows as never;
  };
  const options = { cid: 'whole', direction: 'ancestors', depth: undefined, limit: 1_000 } as const;
  const found = await readLongBundle({ db: { query }, projectId: project }, options);
  expect(found.counts.actions).toBe(21);
  expect(Math.max(...counts.read)).toBeLessThanOrEqual(8_000);
  expect(Math.max(...counts.namesLookedUp)).toBeLessThanOrEqual(8);
});
