import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseError, type Queryable } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { createBundleRows } from '../../src/records/read/bundle-rows.js';
import { readBundleRow } from '../../src/records/read/histories.sql.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';

const PROJECT = randomUUID();
const CHAIN = 60;
const TERMS = { direction: 'ancestors', depth: undefined, limit: 200, maxBytes: 2 ** 20 } as const;
/** Short histories, one that is too long for a shared statement, and unknown content. */
const CIDS = ['c0', 'c1', 'c2', `c${CHAIN}`, 'unknown', 'c3', 'c4', 'c5', 'c6', 'c7'];

let databases: Databases;

beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  const actions = Array.from({ length: CHAIN + 1 }, (_, place) =>
    toActionItem({
      id: randomUUID(),
      performedBy: 'ann',
      inputCids: place === 0 ? [] : [`c${place - 1}`],
      outputCids: [`c${place}`],
    }),
  );
  await recordItems(databases.provenance, PROJECT, [toEntityItem({ id: 'ann', role: 'human' }), ...actions]);
}, 60_000);
afterAll(() => databases.close());

const namesOf = (parameters: readonly unknown[] = []) => parameters[1] as string[];

/** `asked`: the number of histories of each statement. A statement fails when `isRefused` returns true. */
function watched(isRefused: (count: number) => boolean = () => false) {
  const asked: number[] = [];
  const query: Queryable['query'] = async (text, parameters, signal) => {
    const count = namesOf(parameters).length;
    asked.push(count);
    if (isRefused(count)) throw new DatabaseError('refused', { sqlState: '53200' });
    return databases.provenance.query(text, parameters, signal);
  };
  return { db: { query }, asked };
}

const readAlone = () =>
  Promise.all(CIDS.map((cid) => readBundleRow(databases.provenance, PROJECT, { ...TERMS, cid })));

it('waiting histories share a statement with the same results; a too long one runs alone', async () => {
  const { db, asked } = watched();
  const rows = createBundleRows(db);
  const found = await Promise.all(CIDS.map((cid) => rows.read(PROJECT, { ...TERMS, cid })));
  expect(found).toEqual(await readAlone());
  expect(found.map(({ known }) => known)).toEqual(CIDS.map((cid) => cid !== 'unknown'));
  expect(found.map(({ fits }) => fits)).toEqual(CIDS.map(() => true));
  expect(asked.sort()).toEqual([1, 1, 1, 4, 4]);
});

it('a history that exceeded the limit of a request is read again only with another limit', async () => {
  const { db, asked } = watched();
  const rows = createBundleRows(db);
  const long = { ...TERMS, limit: 10, cid: `c${CHAIN}` };
  const first = await rows.read(PROJECT, long);
  expect(first).toMatchObject({ known: true, fits: false });
  expect(await rows.read(PROJECT, long)).toEqual(first);
  expect(asked).toEqual([1]);
  expect(await rows.read(PROJECT, { ...long, limit: 200 })).toMatchObject({ fits: true });
  expect(asked).toEqual([1, 1]);
});

it('a history with too many links is not read again with a smaller limit or a larger depth', async () => {
  const project = randomUUID();
  const made = (inputCids: string[], outputCids: string[]) =>
    toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids, outputCids });
  const many = Array.from({ length: 32 }, (_, n) => `o${n}`);
  await recordItems(databases.provenance, project, [
    toEntityItem({ id: 'ann', role: 'human' }),
    ...Array.from({ length: 100 }, () => made([], many)),
    ...[many.slice(0, 16), many.slice(16)].map((inputs) => made(inputs, ['t'])),
    made(['t'], ['root']),
  ]);
  const { db, asked } = watched();
  const rows = createBundleRows(db);
  const dense = { ...TERMS, cid: 'root', limit: 50, depth: 5 };
  expect(await rows.read(project, dense)).toMatchObject({ known: true, fits: false, isCut: true });
  expect(asked).toEqual([1]);
  for (const bounds of [{ limit: 49 }, { depth: 6 }, { depth: undefined }, { depth: 7, limit: 3 }])
    expect(await rows.read(project, { ...dense, ...bounds })).toMatchObject({ fits: false });
  expect(asked).toEqual([1]);
  expect(await rows.read(project, { ...dense, depth: 1 })).toMatchObject({ fits: true, isCut: false });
  await rows.read(project, { ...dense, limit: 51 });
  expect(asked).toEqual([1, 1, 1]);
});

it('a history is read if no single failed read rules out both its limit and its depth', async () => {
  const project = randomUUID();
  const many = Array.from({ length: 112 }, (_, n) => `o${n}`);
  const groups = Array.from({ length: 7 }, (_, n) => many.slice(16 * n, 16 * n + 16));
  const made = (inputCids: string[], outputCids: string[]) =>
    toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids, outputCids });
  await recordItems(databases.provenance, project, [
    toEntityItem({ id: 'ann', role: 'human' }),
    ...Array.from({ length: 100 }, () => made([], many)),
    ...groups.map((inputs) => made(inputs, ['root'])),
  ]);
  const { db, asked } = watched();
  const rows = createBundleRows(db);
  const dense = { ...TERMS, cid: 'root' };
  expect(await rows.read(project, { ...dense, limit: 40, depth: 9 })).toMatchObject({ isCut: true });
  expect(await rows.read(project, { ...dense, limit: 10, depth: 5 })).toMatchObject({ isCut: true });
  expect(asked).toEqual([1, 1]);
  await rows.read(project, { ...dense, limit: 40, depth: 5 });
  expect(asked).toEqual([1, 1, 1]);
});

it('after a failed shared statement, each history is read alone', async () => {
  const { db } = watched((count) => count > 1);
  const rows = createBundleRows(db);
  const found = await Promise.all(CIDS.map((cid) => rows.read(PROJECT, { ...TERMS, cid })));
  expect(found).toEqual(await readAlone());
});

it('histories with other options, or of another project, use separate statements', async () => {
  const { db, asked } = watched();
  const rows = createBundleRows(db);
  const others = [
    { ...TERMS, cid: 'c9', direction: 'both' },
    { ...TERMS, cid: 'c9', depth: 1 },
    { ...TERMS, cid: 'c9', limit: 5 },
  ] as const;
  const read = [...CIDS.slice(0, 4).map((cid) => ({ ...TERMS, cid })), ...others];
  const found = await Promise.all([
    ...read.map((options) => rows.read(PROJECT, options)),
    rows.read(randomUUID(), { ...TERMS, cid: 'c0' }),
  ]);
  const alone = read.map((options) => readBundleRow(databases.provenance, PROJECT, options));
  expect(found.slice(0, -1)).toEqual(await Promise.all(alone));
  expect(found.at(-1)).toMatchObject({ known: false });
  expect(asked.filter((count) => count > 1)).toEqual([2]);
});

it('a statement leaves out abandoned histories and reads the others', async () => {
  const { db, asked } = watched();
  const rows = createBundleRows(db);
  const gone = new AbortController();
  const first = CIDS.slice(0, 2).map((cid) => rows.read(PROJECT, { ...TERMS, cid }));
  const left = rows.read(PROJECT, { ...TERMS, cid: 'c3' }, gone.signal);
  const kept = rows.read(PROJECT, { ...TERMS, cid: 'c4' }, new AbortController().signal);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(await kept).toMatchObject({ known: true, fits: true });
  await Promise.all(first);
  expect(asked).toEqual([1, 1, 1]);
});

it('a statement is cancelled when all callers of its histories have left', async () => {
  const gone = new AbortController();
  const query: Queryable['query'] = async (text, parameters, signal) => {
    if (namesOf(parameters).length === 1) return databases.provenance.query(text, parameters);
    gone.abort(new Error('gone'));
    signal?.throwIfAborted();
    throw new Error('The statement went on');
  };
  const rows = createBundleRows({ query });
  const first = CIDS.slice(0, 2).map((cid) => rows.read(PROJECT, { ...TERMS, cid }));
  const left = CIDS.slice(2, 4).map((cid) => rows.read(PROJECT, { ...TERMS, cid }, gone.signal));
  for (const one of await Promise.allSettled(left))
    expect(one).toMatchObject({ reason: { message: 'gone' } });
  await Promise.all(first);
});

it('after a history that is too long to share, waiting ones run alone, then together again', async () => {
  const { db, asked } = watched();
  const rows = createBundleRows(db, 1);
  const long = [`c${CHAIN}`, `c${CHAIN - 1}`, `c${CHAIN - 2}`];
  const read = ['c0', 'c1', ...long, ...CIDS.slice(-5)];
  await Promise.all(read.map((cid) => rows.read(PROJECT, { ...TERMS, cid })));
  expect(asked).toEqual([1, 4, 1, 1, 1, 1, 2, 2]);
});

it('long histories that wait run alone after the first result', async () => {
  const { db, asked } = watched();
  const rows = createBundleRows(db, 1);
  const read = Array.from({ length: 9 }, (_, place) => `c${CHAIN - place}`);
  await Promise.all(read.map((cid) => rows.read(PROJECT, { ...TERMS, cid })));
  expect(asked).toEqual(read.map(() => 1));
});

it('at most two statements at a time read sessions of a project, and a too long session is read once', async () => {
  let running = 0;
  const atOnce: number[] = [];
  const query: Queryable['query'] = async (text, parameters, signal) => {
    atOnce.push(++running);
    try {
      return await databases.provenance.query(text, parameters, signal);
    } finally {
      running--;
    }
  };
  const rows = createBundleRows({ query });
  const limits = { limit: 200, maxBytes: 2 ** 20 };
  const long = { ...limits, sessionId: 'long', maxBytes: 1 };
  const names = Array.from({ length: 8 }, (_, n) => `session ${n}`);
  const found = await Promise.all(
    names.map((sessionId) => rows.readSession(PROJECT, { ...limits, sessionId })),
  );
  expect(found.map((row) => row?.fits)).toEqual(names.map(() => true));
  expect(atOnce).toHaveLength(names.length);
  expect(Math.max(...atOnce)).toBe(2);
  await recordItems(databases.provenance, PROJECT, [
    toActionItem({
      id: randomUUID(),
      performedBy: 'ann',
      sessionId: 'long',
      inputCids: [],
      outputCids: ['l'],
    }),
  ]);
  expect(await rows.readSession(PROJECT, long)).toBeUndefined();
  const tried = atOnce.length;
  expect(await rows.readSession(PROJECT, long)).toBeUndefined();
  expect(atOnce).toHaveLength(tried);
});
