import { randomUUID } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database, Queryable } from '../../src/platform/db/database.js';
import { openPglite } from '../../src/platform/db/pglite/open-pglite.js';
import { readStartTemplate } from '../../src/platform/db/pglite/start-template.js';

const [HEAVY, LIGHT] = [randomUUID(), randomUUID()];
/** Takes about 20 ms. */
const SLOW = 'select $1::text as project, count(*) from generate_series(1, 60000)';
const INSERT = 'insert into kept values ($1::text, $2::int)';
const open = () => openPglite({ directory: undefined, templateFile: readStartTemplate() });

let db: Database;
beforeAll(async () => {
  db = await open();
  await db.query('create table kept (project text, n int check (n >= 0))');
});
beforeEach(async () => {
  // The engine then knows how long these statements take.
  await db.query(SLOW, [HEAVY]);
  await db.query(INSERT, [LIGHT, 0]);
  await db.query('truncate kept');
});
afterAll(async () => db.close());

const insert = (n: number, into: Queryable = db) => into.query(INSERT, [LIGHT, n]);
const kept = async () => (await db.query<{ n: number }>('select n from kept order by n')).map(({ n }) => n);

/** Returns how many of `heavy` end before the light statement. */
async function countBefore(heavy: readonly (() => Promise<unknown>)[]): Promise<number> {
  let ended = 0;
  const count = () => {
    ended += 1;
  };
  const all = heavy.map((ask) => ask().then(count, count));
  await immediate();
  await insert(1);
  const before = ended;
  await Promise.all(all);
  expect(ended).toBe(heavy.length);
  return before;
}

const times = <T>(make: (n: number) => T) => Array.from({ length: 12 }, (_, n) => make(n));

it.each([
  ['one statement', () => SLOW],
  [
    'statements that never ran before',
    (n: number) => `select $1::text, ${n}, count(*) from generate_series(1, 60000)`,
  ],
  ['a statement that fails', () => 'select $1::text, sum(1 / (60000 - n)) from generate_series(1, 60000) n'],
])('a short call waits for at most 4 of 12 long calls of another project: %s', async (_, textOf) => {
  expect(await countBefore(times((n) => () => db.query(textOf(n), [HEAVY])))).toBeLessThanOrEqual(4);
});

it('waiting long calls yield to every short call of a request, not only to the first', async () => {
  let ended = 0;
  const heavy = times(() => db.query(SLOW, [HEAVY]).then(() => ended++));
  for (let n = 0; n < 8; n++) {
    await insert(n);
    await immediate();
  }
  expect(ended).toBeLessThanOrEqual(4);
  await Promise.all(heavy);
});

it('a long call ends although short calls arrive all the time', async () => {
  let hasEnded = false;
  await insert(0);
  const heavy = db.query(SLOW, [HEAVY]).then(() => {
    hasEnded = true;
  });
  let count = 0;
  while (!hasEnded && count < 2_000) await insert(count++);
  expect(hasEnded).toBe(true);
  await heavy;
});

it('a short call waits for at most 4 long calls of another project, even if a transaction waits', async () => {
  const waiting: Promise<unknown>[] = [];
  const begin = () => void waiting.push(db.transaction((tx) => insert(2, tx)));
  const heavy = times((n) => () => {
    if (n === 6) begin();
    return db.query(SLOW, [HEAVY]);
  });
  expect(await countBefore(heavy)).toBeLessThanOrEqual(4);
  await Promise.all(waiting);
  expect(await kept()).toEqual([1, 2]);
});

it('calls from outside of a transaction never run inside it', async () => {
  const heavy = Array.from({ length: 4 }, () => db.query(SLOW, [HEAVY]));
  const others = [insert(1), insert(2)];
  const lost = db.transaction(async (tx) => {
    others.push(insert(3));
    await insert(10, tx);
    others.push(insert(4));
    await insert(11, tx);
    throw new Error('rolled back');
  });
  await expect(lost).rejects.toThrow('rolled back');
  await Promise.all([...heavy, ...others]);
  expect(await kept()).toEqual([1, 2, 3, 4]);
});

it('calls of a transaction run in order, and no call runs after the end of the transaction', async () => {
  let last: Promise<unknown> | undefined;
  const lost = db.transaction(async (tx) => {
    const all = [-1, 1, 2, 3, 4, 5].map((n) => insert(n, tx));
    last = Promise.allSettled(all);
    await Promise.all(all);
  });
  await expect(lost).rejects.toMatchObject({ constraint: 'kept_n_check' });
  await last;
  expect(await kept()).toEqual([]);

  let late: Queryable | undefined;
  await db.transaction(async (tx) => {
    late = tx;
    await insert(7, tx);
  });
  await expect(late?.query('truncate kept')).rejects.toThrow('has ended');
  expect(await kept()).toEqual([7]);
});

it('the engine rejects calls that arrive while their transaction is rolled back', async () => {
  let branch: Promise<unknown> | undefined;
  const lost = db.transaction(async (tx) => {
    const insertMany = async () => {
      for (let n = 1; n <= 20; n++) await insert(n, tx);
    };
    branch = insertMany().catch((error: unknown) => error);
    throw new Error('refused');
  });
  await expect(lost).rejects.toThrow('refused');
  expect(await branch).toMatchObject({ message: 'The transaction has ended.' });
  expect(await kept()).toEqual([]);
});

it('twelve concurrent transactions run one after the other', async () => {
  const add = () =>
    db.transaction(async (tx) => {
      const [row] = await tx.query<{ count: number }>('select count(*)::int as count from kept');
      await insert(row?.count ?? -1, tx);
    });
  await Promise.all(times(add));
  expect(await kept()).toEqual(times((n) => n));
});

it('calls of one project keep their order', async () => {
  await db.query('create table ordered (n serial, place int)');
  const text = 'insert into ordered (place) select $2::int where $1::text is not null';
  const places = Array.from({ length: 40 }, (_, place) => place);
  await Promise.all(places.map((place) => db.query(text, [place % 3 ? HEAVY : LIGHT, place])));
  const rows = await db.query<{ place: number }>('select place from ordered order by n');
  const found = rows.map(({ place }) => place);
  for (const isHeavy of [true, false]) {
    const isOfOne = (place: number) => (place % 3 !== 0) === isHeavy;
    expect(found.filter(isOfOne)).toEqual(places.filter(isOfOne));
  }
});

it('a waiting call is rejected as soon as its signal aborts, and does not run', async () => {
  const leaving = new AbortController();
  let ended = 0;
  const heavy = times(() => db.query(SLOW, [HEAVY]).then(() => ended++));
  const left = expect(db.query(INSERT, [HEAVY, 1], leaving.signal)).rejects.toThrow('the caller left');
  setImmediate(() => leaving.abort(new Error('the caller left')));
  await left;
  expect(ended).toBeLessThan(heavy.length);
  await Promise.all(heavy);
  expect(await kept()).toEqual([]);
});

it('a waiting transaction does not begin after its signal aborts', async () => {
  const leaving = new AbortController();
  const heavy = times(() => db.query(SLOW, [HEAVY]));
  const options = { projectId: HEAVY, signal: leaving.signal };
  const left = expect(db.transaction((tx) => insert(1, tx), options)).rejects.toThrow('the caller left');
  setImmediate(() => leaving.abort(new Error('the caller left')));
  await left;
  await Promise.all([...heavy, insert(2)]);
  expect(await kept()).toEqual([2]);
});

it('a database that closes answers the waiting calls, and rejects later calls', async () => {
  const other = await open();
  await other.query('create table kept (n int)');
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const inside = other.transaction(async (tx) => {
    begin();
    await tx.query('select pg_sleep(0.05)');
    return tx.query('select count(*)::int as count from kept');
  });
  await begun;
  const waiting = [other.query('select 1 as one'), other.query('insert into kept values (1) returning n')];
  const closed = other.close();
  await expect(other.query('select 3')).rejects.toMatchObject({ code: 'Unavailable' });
  await expect(other.transaction((tx) => tx.query('select 4'))).rejects.toMatchObject({
    code: 'Unavailable',
  });
  expect(await Promise.all([...waiting, inside])).toEqual([[{ one: 1 }], [{ n: 1 }], [{ count: 0 }]]);
  await closed;
});
