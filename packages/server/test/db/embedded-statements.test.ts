import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import { openPglite } from '../../src/platform/db/pglite/open-pglite.js';
import { readStartTemplate } from '../../src/platform/db/pglite/start-template.js';
import { createMessageWriter } from '../../src/platform/db/pglite/wire.js';
import { openOn } from '../support/open-on.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';

let db: Database;
let plain: PGlite;
beforeAll(async () => {
  db = await openPglite({ directory: undefined, templateFile: readStartTemplate() });
  plain = await PGlite.create();
});
afterAll(async () => {
  await db.close();
  await plain.close();
});

const DATE = new Date('2026-08-02T09:30:00.123Z');

it.each<[string, unknown]>([
  ['text', 'ü, a "quoted" one, and \n 🙂'],
  ['text', ''],
  ['text', null],
  ['text', undefined],
  ['text', 'x'.repeat(200_000)],
  ['jsonb', '{"a":[1,null,"ü"],"b":{}}'],
  ['jsonb', 'null'],
  ['jsonb', '"text"'],
  ['json', '[1, 2]'],
  ['bytea', new Uint8Array([0, 1, 127, 128, 255])],
  ['bytea', new Uint8Array()],
  ['int2', 7],
  ['int4', -7],
  ['int8', 9_007_199_254_740_991],
  ['int8', '9223372036854775807'],
  ['numeric', '12345678901234567890.5'],
  ['float8', 0.1],
  ['float8', Number.NaN],
  ['bool', true],
  ['bool', false],
  ['uuid', '01a20168-21fc-71bd-be7b-a2bb5c39a7ee'],
  ['timestamptz', DATE],
  ['timestamptz', DATE.toISOString()],
  ['date', '2026-08-02'],
  ['interval', '1 day'],
  ['text[]', ['x', 'y"\\', '', 'null', '{}']],
  ['text[]', []],
  ['int4[]', [1, 2, 3]],
  ['int8[]', [1, 2]],
  ['uuid[]', ['01a20168-21fc-71bd-be7b-a2bb5c39a7ee']],
  ['bytea[]', [new Uint8Array([1, 2])]],
  ['timestamptz[]', [DATE]],
  ['jsonb[]', ['{"a":1}', 'null']],
  ['bool[]', [true, false]],
])('the result for a parameter of type %s equals the result of PGlite: %j', async (type, value) => {
  const text = `select $1::${type} as one, 2 as two, null::${type} as none`;
  const { rows } = await plain.query(text, [value]);
  for (let i = 0; i < 2; i++) expect(await db.query(text, [value])).toEqual(rows);
});

it('the engine returns rows without columns, and no rows for statements without a result', async () => {
  expect(await db.query('select from generate_series(1, 3)')).toEqual([{}, {}, {}]);
  expect(await db.query('create table none_given (n int)')).toEqual([]);
  expect(await db.query('insert into none_given values (1)')).toEqual([]);
  expect(await db.query('update none_given set n = 2 returning n')).toEqual([{ n: 2 }]);
});

it.each([
  ['that cannot be parsed', 'selec 1', '42601', undefined],
  ['on an absent table', 'select from nowhere', '42P01', undefined],
  ['that fails while it runs', 'select 1 / (n - n) from generate_series(1, 2) n', '22012', undefined],
  ['against a constraint', 'insert into guarded values (1)', '23514', 'guarded_n_check'],
])(
  'the engine rejects a statement %s each time, and runs the next statement',
  async (_, text, sqlState, constraint) => {
    await db.query('create table if not exists guarded (n int check (n > 1))');
    for (let i = 0; i < 3; i++) {
      await expect(db.query(text)).rejects.toMatchObject({ name: 'DatabaseError', sqlState, constraint });
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
      await expect(db.transaction((tx) => tx.query(text))).rejects.toMatchObject({ sqlState });
    }
  },
);

it('a parameter of the wrong type is rejected, and the next statement runs', async () => {
  const ask = (value: unknown) => db.query('select $1::int4 as n, $2::bool as b', [value, 'maybe']);
  await expect(ask('x')).rejects.toThrow();
  await expect(ask(1)).rejects.toThrow('Invalid input for boolean type');
  expect(await db.query('select $1::int4 as n', [1])).toEqual([{ n: 1 }]);
});

it('the engine parses and plans a statement once', async () => {
  const text = 'select $1::int4 + 40 as sum';
  for (const n of [1, 2, 3]) expect(await db.query(text, [n])).toEqual([{ sum: n + 40 }]);
  const rows = await db.query(
    'select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where statement = $1',
    [text],
  );
  expect(rows).toEqual([{ generic: 3, custom: 0 }]);
});

it('the engine receives concurrent statements in few messages, and answers each in order', async () => {
  const text = 'select $1::int4 as n';
  await db.query(text, [0]);
  const messages = vi.spyOn(Worker.prototype, 'postMessage');
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  const answers = await Promise.all(numbers.map((n) => db.query(text, [n])));
  expect(answers).toEqual(numbers.map((n) => [{ n }]));
  // The queue sends several short calls in one message. The bound of 50 allows for a machine that is ten times slower.
  expect(messages.mock.calls.length).toBeLessThanOrEqual(50);
  messages.mockRestore();
});

it('the engine caches at most 500 prepared statements, and also answers statements beyond this number', async () => {
  for (let i = 0; i < 600; i++) expect(await db.query(`select ${i} as n`)).toEqual([{ n: i }]);
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from pg_prepared_statements',
  );
  expect(row?.count).toBeLessThanOrEqual(500);
  expect(await db.query('select 599 as n')).toEqual([{ n: 599 }]);
});

it('a query succeeds after its columns change, in transactions only from the second run on', async () => {
  const other = await openPglite({ directory: undefined, templateFile: readStartTemplate() });
  const ask = 'select * from grown';
  await other.query('create table grown as select 1 as a');
  expect(await other.query(ask)).toEqual([{ a: 1 }]);
  await other.query(`alter table grown add b text default 'new'`);
  expect(await other.query(ask)).toEqual([{ a: 1, b: 'new' }]);
  await other.query('alter table grown drop a');
  await expect(other.transaction((tx) => tx.query(ask))).rejects.toMatchObject({ sqlState: '0A000' });
  expect(await other.transaction((tx) => tx.query(ask))).toEqual([{ b: 'new' }]);
  await other.close();
});

it('the engine replaces a plan for few rows when the table has many rows', async () => {
  const { provenance, close } = await openOn('PGlite');
  try {
    const project = randomUUID();
    const items = Array.from({ length: 1_500 }, (_, place) =>
      toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids: [], outputCids: [`content ${place}`] }),
    );
    await recordItems(provenance, project, [toEntityItem({ id: 'ann', role: 'human' })]);
    const text = 'select a.body from provenance.action a where a.project_id = $1 and a.id = $2';
    await provenance.query(text, [project, items[0]?.action.id]);
    await recordItems(provenance, project, items);

    const [prepared] = await provenance.query<{ name: string }>(
      'select name from pg_prepared_statements where statement = $1',
      [text],
    );
    const plan = await provenance.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers, costs off, timing off) execute ${prepared?.name}('${project}', '${items[700]?.action.id}')`,
    );
    const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(lines).toMatch(/Index Scan using action_pkey/);
    expect(Number(/shared hit=(\d+)/.exec(lines)?.[1])).toBeLessThan(6);
  } finally {
    await close();
  }
});

it('the engine analyzes a grown table when no transaction is open, and again after the table doubles', async () => {
  const other = await openPglite({ directory: undefined, templateFile: readStartTemplate() });
  await other.query('create table analyzed (n int)');
  const fill = (tx: Pick<Database, 'query'>) =>
    Promise.all(
      Array.from({ length: 250 }, () => tx.query('insert into analyzed select generate_series(1, 20)')),
    );
  const known = async (db: Pick<Database, 'query'>) => {
    const [row] = await db.query<{ count: number }>(
      "select reltuples::int as count from pg_class where oid = 'analyzed'::regclass",
    );
    return row?.count;
  };
  await other.transaction(async (tx) => {
    await fill(tx);
    expect(await known(tx)).toBe(-1);
  });
  await vi.waitFor(async () => expect(await known(other)).toBe(5_000), { timeout: 10_000 });
  for (let times = 0; times < 2; times++) await fill(other);
  await vi.waitFor(async () => expect(await known(other)).toBeGreaterThan(10_000), { timeout: 10_000 });
  await other.close();
});

it('the engine analyzes only the indexed columns of a table', async () => {
  const other = await openPglite({ directory: undefined, templateFile: readStartTemplate() });
  await other.query('create table indexed (n int primary key, body text, other int)');
  await other.query('create index on indexed (other, n)');
  const rows = "insert into indexed select $1 * 20 + n, repeat('x', 100), n from generate_series(1, 20) n";
  await Promise.all(Array.from({ length: 250 }, (_, n) => other.query(rows, [n])));
  const text = "select attname as name from pg_stats where tablename = 'indexed' order by 1";
  const known = async () => (await other.query<{ name: string }>(text)).map(({ name }) => name);
  await vi.waitFor(async () => expect(await known()).toEqual(['n', 'other']), { timeout: 10_000 });
  await other.close();
});

it('the protocol messages for a long parameter need less than 1.5 times their length in memory', () => {
  const writer = createMessageWriter();
  const text = 'x'.repeat(16 * 2 ** 20);
  const before = process.memoryUsage().arrayBuffers;
  writer.bind('c1', [text]);
  const message = writer.take();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.5 * message.length);
  expect(message.length).toBeGreaterThan(text.length);
});
