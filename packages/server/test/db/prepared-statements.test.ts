import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import { openPostgres, type PostgresOptions } from '../../src/platform/db/postgres.js';
import { createStatementNames } from '../../src/platform/db/statement-names.js';
import { readListStep } from '../../src/records/read/lists.sql.js';
import { HAS_PGBOUNCER, type Pooler, startPgbouncer } from '../support/pgbouncer.js';
import { createDatabase } from '../support/postgres.js';

const opened: Database[] = [];
const reports: string[] = [];
let url: string;

function open(options: PostgresOptions = {}): Database {
  const report = ({ message }: Error) => void reports.push(message);
  const db = openPostgres(url, { connections: 1, report, ...options });
  opened.push(db);
  return db;
}

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
});
afterAll(async () => {
  for (const db of opened) await db.close();
});

const PREPARED = 'select statement, generic_plans::int as plans from pg_prepared_statements order by 1';
const ADD = 'select $1::int + 1 as sum';

async function prepared(db: Database): Promise<{ statement: string; plans: number }[]> {
  const rows = await db.query<{ statement: string; plans: number }>(PREPARED);
  return rows.filter(({ statement }) => statement !== PREPARED);
}

describe('a statement on PostgreSQL', () => {
  it('is prepared at its second use, and planned once for all parameters', async () => {
    const db = open();
    await db.query(ADD, [1]);
    expect(await prepared(db)).toEqual([]);
    for (const number of [1, 2, 3]) expect(await db.query(ADD, [number])).toEqual([{ sum: number + 1 }]);
    await db.transaction((tx) => tx.query(ADD, [4]));
    expect(await prepared(db)).toEqual([{ statement: ADD, plans: 4 }]);
    const [settings] = await db.query(
      `select current_setting('plan_cache_mode') as plans, current_setting('jit') as jit`,
    );
    expect(settings).toEqual({ plans: 'force_generic_plan', jit: 'off' });
  });

  it('leaves no name and no setting in a shared session', async () => {
    const db = open({ keepsSession: false });
    for (const number of [1, 2, 3]) await db.query(ADD, [number]);
    expect(await prepared(db)).toEqual([]);
    const [settings] = await db.query(`select current_setting('plan_cache_mode') as plans`);
    expect(settings).toEqual({ plans: 'auto' });
  });

  it('answers after a schema change, and is prepared again', async () => {
    const db = open();
    await db.query('create table grown as select 1 as a');
    const ask = 'select * from grown';
    for (let i = 0; i < 3; i++) expect(await db.query(ask)).toEqual([{ a: 1 }]);
    await open().query("alter table grown add b text default 'new'");
    for (let i = 0; i < 3; i++) expect(await db.query(ask)).toEqual([{ a: 1, b: 'new' }]);
    expect((await prepared(db)).filter(({ statement }) => statement === ask)).toHaveLength(2);
  });

  it('fails as an outage in a transaction if its columns changed; the next transaction succeeds', async () => {
    const db = open();
    await db.query('create table widened as select 1 as a');
    const ask = 'select * from widened';
    const read = () => db.transaction((tx) => tx.query(ask));
    for (let i = 0; i < 3; i++) expect(await read()).toEqual([{ a: 1 }]);
    await open().query('alter table widened add b int');
    await expect(read()).rejects.toMatchObject({ code: 'Unavailable', headers: { 'retry-after': '2' } });
    expect(await read()).toEqual([{ a: 1, b: null }]);
  });

  it('answers after the session lost its prepared statements, and logs once how to prevent this', async () => {
    const db = open();
    reports.length = 0;
    for (let i = 0; i < 2; i++) await db.query(ADD, [1]);
    await db.query('deallocate all');
    for (let i = 0; i < 3; i++) expect(await db.query(ADD, [1])).toEqual([{ sum: 2 }]);
    expect(reports).toEqual([expect.stringContaining('DATABASE_POOLER=transaction')]);
    expect(await prepared(db)).toEqual([]);
  });

  it('fails with the same error at each run, until the cause of the error is gone', async () => {
    const db = open();
    for (let i = 0; i < 3; i++)
      await expect(db.query('select 1 / $1::int', [0])).rejects.toMatchObject({ sqlState: '22012' });
    for (let i = 0; i < 3; i++)
      await expect(db.query('select from no_such_table')).rejects.toMatchObject({ sqlState: '42P01' });
    await db.query('create table no_such_table (a int)');
    expect(await db.query('select from no_such_table')).toEqual([]);
  });
});

describe('names of statements', () => {
  it('are the same in every process, so that one name means one statement', () => {
    const [one, other] = [createStatementNames(), createStatementNames()];
    const texts = ['select 1', 'select 2', 'select 3'];
    for (const text of [...texts, ...texts]) one.nameOf(text);
    for (const text of [...texts, ...texts].reverse()) other.nameOf(text);
    expect(new Set(texts.map((text) => one.nameOf(text))).size).toBe(3);
    for (const text of texts) expect(one.nameOf(text)).toBe(other.nameOf(text));
  });

  it('are limited in number: the service sends further statements without a name', () => {
    const names = createStatementNames();
    const nameTwice = (text: string) => names.nameOf(text) ?? names.nameOf(text);
    const given = Array.from({ length: 600 }, (_, i) => nameTwice(`select ${i}`));
    expect(new Set(given.filter((name) => name !== undefined)).size).toBe(500);
    expect(nameTwice('select 1')).toBeDefined();
  });

  it('are not used up by lists with combinations of filters', async () => {
    const names = createStatementNames();
    const texts: string[] = [];
    const db = {
      query: async <Row>(text: string) => {
        texts.push(text);
        return [] as Row[];
      },
    };
    const [since, until] = ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];
    const part = { name: 'actions', filters: { since, until }, after: undefined } as const;
    const step = { ...part, driver: undefined, offset: 0, limit: 10, bytes: 1, takesFirst: true };
    await readListStep(db, 'a project', step);
    await readListStep(db, 'a project', { ...step, filters: { since } });
    const [combined, single] = texts.map((text) => names.nameOf(text) ?? names.nameOf(text));
    expect(combined).toBeUndefined();
    expect(single).toBeDefined();
  });
});

describe.skipIf(!HAS_PGBOUNCER)('behind PgBouncer in transaction mode', () => {
  let pooler: Pooler;
  beforeAll(async () => {
    pooler = await startPgbouncer(url, 2);
  });
  afterAll(() => pooler.stop());

  const openPooled = (options: PostgresOptions = {}) => {
    const report = ({ message }: Error) => void reports.push(message);
    const db = openPostgres(pooler.url, { report, ...options });
    opened.push(db);
    return db;
  };
  const askOften = async (db: Database) => {
    const numbers = Array.from({ length: 200 }, (_, i) => i);
    const answers = await Promise.all(numbers.map((n) => db.query('select $1::int as n', [n])));
    expect(answers).toEqual(numbers.map((n) => [{ n }]));
  };

  it('every statement is answered if DATABASE_POOLER is transaction', async () => {
    reports.length = 0;
    await askOften(openPooled({ keepsSession: false }));
    expect(reports).toEqual([]);
  });

  it('every statement is answered without DATABASE_POOLER; the log names this setting if it is needed', async () => {
    reports.length = 0;
    await askOften(openPooled());
    // PgBouncer 1.21 and later may support prepared statements.
    if (reports.length > 0) expect(reports).toEqual([expect.stringContaining('DATABASE_POOLER=transaction')]);
  });
});
