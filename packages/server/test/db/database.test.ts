import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createApiKeyText, keyDigest } from '../../src/access/api-key.js';
import { namedProjectId } from '../../src/access/create-key.js';
import { readPrincipal } from '../../src/control/api-keys.sql.js';
import { type Database, DatabaseError } from '../../src/platform/db/database.js';
import { readMigrations } from '../../src/platform/db/layers.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { type Databases, openDatabases, type StoreLocation } from '../../src/platform/db/open-databases.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { createDatabase } from '../support/postgres.js';
import { createEmptyDatabase } from '../support/postgres-databases.js';
import { STORAGE_ENGINES } from '../support/service.js';

describe.each(STORAGE_ENGINES)('a database, on %s', (engine) => {
  let directory: string;
  let place: StoreLocation;
  let databases: Databases;
  let db: Database;
  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'colophon-db-'));
    place =
      engine === 'PostgreSQL'
        ? { kind: 'postgresql', url: await createDatabase(inject('postgresUrl')), directUrl: undefined }
        : engine === 'PGlite in memory'
          ? { kind: 'memory' }
          : { kind: 'directory', directory };
    databases = await openDatabases(place);
    db = databases.provenance;
    await db.transaction((tx) => tx.exec('create table scratch (n int primary key, j jsonb)'));
  });
  afterAll(async () => {
    await databases.close();
    rmSync(directory, { recursive: true });
  });

  it('returns the same JavaScript values on every engine', async () => {
    const [row] = await db.query(
      `select 1::int4 as int4, 9007199254740991::int8 as int8, 'ü'::text as text, true as bool, null as none,
         '2026-08-02T09:30:00.123Z'::timestamptz as at, $1::bytea as bytes, $2::jsonb as json, $3::text[] as list`,
      [new Uint8Array([0, 255]), '{"a":[1,null]}', ['x', 'y"']],
    );
    const { bytes, at, ...rest } = row as { bytes: Uint8Array; at: Date };
    expect([...bytes]).toEqual([0, 255]);
    expect(at.toISOString()).toBe('2026-08-02T09:30:00.123Z');
    expect(rest).toEqual({
      int4: 1,
      int8: 9_007_199_254_740_991,
      text: 'ü',
      bool: true,
      none: null,
      json: { a: [1, null] },
      list: ['x', 'y"'],
    });
  });

  it.each([
    ['plain elements', ['a', 'sha256:0', 'nullable']],
    ['no element', []],
    ['NULL', ['a', null]],
    ['the text NULL', ['NULL', 'null']],
    ['characters that need quotes', ['a,b', '{c}', 'd\\e', '"', ' f', '']],
    [
      'lists',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('returns an array of %s unchanged', async (_, list) => {
    expect(await db.query('select $1::text[] as list', [list])).toEqual([{ list }]);
  });

  it('reports an error with its SQLSTATE and constraint', async () => {
    await db.query('insert into scratch values (1)');
    const refusal = await db.query('insert into scratch values (1)').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DatabaseError);
    expect(refusal).toMatchObject({ sqlState: '23505', constraint: 'scratch_pkey' });
  });

  it('commits a transaction whole or not at all, and continues after a failed one', async () => {
    const failed = db.transaction(async (tx) => {
      await tx.query('insert into scratch values (10)');
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await expect(db.transaction((tx) => tx.query('select nonsense'))).rejects.toThrow(DatabaseError);
    await db.transaction(async (tx) => {
      await tx.query('insert into scratch values (11)');
      await tx.query('insert into scratch values (12)');
    });
    expect(await db.query('select n from scratch where n >= 10 order by n')).toEqual([{ n: 11 }, { n: 12 }]);
  });

  it('does not run statements of other callers inside an open transaction', async () => {
    const order: string[] = [];
    await Promise.all([
      db.transaction(async (tx) => {
        await tx.query('insert into scratch values (20)');
        await new Promise((resolve) => setTimeout(resolve, 30));
        await tx.query('delete from scratch where n = 20');
        order.push('transaction');
      }),
      db.query('select n from scratch where n = 20').then((rows) => order.push(`saw ${rows.length}`)),
      db.transaction(async (tx) => {
        const rows = await tx.query('select n from scratch where n = 20');
        order.push(`also saw ${rows.length}`);
      }),
    ]);
    expect(order).toContain('saw 0');
    expect(order).toContain('also saw 0');
  });

  it('runs migrations again without effect, also several times concurrently', async () => {
    const count = () => db.query('select name, applied_at from provenance.schema_change order by name');
    const before = await count();
    await Promise.all([migrate(db, 'provenance'), migrate(db, 'provenance'), migrate(db, 'control')]);
    expect(await count()).toEqual(before);
  });

  it('re-applies the functions if one of them changed, and rejects a changed migration', async () => {
    await db.query("delete from provenance.schema_change where name like 'functions %'");
    await db.query("update provenance.schema_change set checksum = 'old' where name = 'functions'");
    await migrate(db, 'provenance');
    const [row] = await db.query<{ checksum: string }>(
      "select checksum from provenance.schema_change where name = 'functions'",
    );
    expect(row?.checksum).toMatch(/^[0-9a-f]{64}$/);
    const name = '0001-records.sql';
    const [{ checksum } = { checksum: '' }] = await db.query<{ checksum: string }>(
      'select checksum from provenance.schema_change where name = $1',
      [name],
    );
    const set = (value: string) =>
      db.query('update provenance.schema_change set checksum = $2 where name = $1', [name, value]);
    await set('changed');
    await expect(migrate(db, 'provenance')).rejects.toThrow('was changed after it had been applied');
    await set(checksum);
  });

  it('has only keys that begin with project_id in tenant tables', async () => {
    const keys = await db.query(
      `select c.conrelid::regclass::text as name, a.attname
       from pg_constraint c join pg_class t on t.oid = c.conrelid
         join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       where c.contype in ('p', 'u') and c.connamespace = 'provenance'::regnamespace
         and c.conrelid::regclass::text <> all($1::text[]) and a.attname <> 'project_id'`,
      [OF_NO_TENANT.map((name) => `provenance.${name}`)],
    );
    expect(keys).toEqual([]);
  });
});

const OF_NO_TENANT = [
  'schema_change',
  'lease',
  'audit_pass',
  'anchor',
  'anchor_transaction',
  'log_service',
  'log_key',
  'log_timestamp',
];

describe('a directory database', () => {
  it('keeps committed data after a restart, and cannot be opened twice', {
    timeout: 60_000,
  }, async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-db-'));
    const first = await openDatabases({ kind: 'directory', directory });
    await first.control.transaction((tx) =>
      tx.exec('create table kept (n int); insert into kept values (7)'),
    );
    await expect(openDatabases({ kind: 'directory', directory })).rejects.toThrow('in use by process');
    await first.close();
    const second = await openDatabases({ kind: 'directory', directory });
    expect(await second.control.query('select n from kept')).toEqual([{ n: 7 }]);
    await second.close();
    rmSync(directory, { recursive: true });
  });
});

describe('the start rejects', () => {
  it('a directory whose database has no PG_VERSION file', { timeout: 60_000 }, async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-db-'));
    await (await openDatabases({ kind: 'directory', directory })).close();
    rmSync(path.join(directory, 'pg', 'PG_VERSION'));
    await expect(openDatabases({ kind: 'directory', directory })).rejects.toThrow(
      'PG_VERSION cannot be read',
    );
    rmSync(directory, { recursive: true });
  });

  it('a PostgreSQL database whose transactions do not see later commits of others', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    const admin = openPostgres(url);
    const name = new URL(url).pathname.slice(1);
    await admin.query(`alter database "${name}" set default_transaction_isolation = 'repeatable read'`);
    await admin.close();
    await expect(openDatabases({ kind: 'postgresql', url, directUrl: undefined })).rejects.toThrow(
      'read committed',
    );
  });
});

it('a connection that breaks inside a transaction fails only for its caller', async () => {
  const db = openPostgres(await createDatabase(inject('postgresUrl')));
  const broken = db.transaction(async (tx) => {
    const [{ pid } = { pid: 0 }] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await db.query('select pg_terminate_backend($1::int)', [pid]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    return tx.query('select 1');
  });
  await expect(broken).rejects.toMatchObject({ code: 'Unavailable' });
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  await db.close();
});

it('a connection that does not answer in time is dropped, and the next statement gets another one', async () => {
  const db = openPostgres(await createDatabase(inject('postgresUrl')), { statementMs: 300 });
  const startedAt = performance.now();
  await expect(db.query('select pg_sleep(5)')).rejects.toMatchObject({ code: 'Unavailable' });
  const stuck = db.transaction((tx) => tx.query('select pg_sleep(5)'));
  await expect(stuck).rejects.toMatchObject({ code: 'Unavailable' });
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  await db.close();
});

it('an unreachable PostgreSQL causes an outage and not an empty answer', async () => {
  const db = openPostgres('postgresql://nobody@127.0.0.1:1/none');
  await expect(db.query('select 1')).rejects.toMatchObject({ code: 'Unavailable' });
  await expect(db.transaction(async () => 1)).rejects.toMatchObject({ code: 'Unavailable' });
  await db.close();
});

it('a database of the first version is migrated with its projects and keys', async () => {
  const db = openPostgres(await createEmptyDatabase(inject('postgresUrl')));
  const [first] = readMigrations('control');
  const key = createApiKeyText();
  await db.transaction(async (tx) => {
    await tx.exec(`create schema control; create table control.schema_change (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    await tx.exec(first?.sql ?? '');
    await tx.query('insert into control.schema_change (name, checksum) values ($1, $2)', [
      first?.name,
      first?.checksum,
    ]);
    const projectId = namedProjectId('default');
    await tx.query("insert into control.project (id, name) values ($1, 'default')", [projectId]);
    await tx.query(
      `insert into control.api_key (id, project_id, key_digest, prefix, name, permission)
       values (gen_random_uuid(), $1, $2, 'pk_live_', 'first', 'admin')`,
      [projectId, keyDigest(key)],
    );
  });
  await migrate(db, 'control');
  const principal = { projectId: namedProjectId('default'), permission: 'admin' };
  expect(await readPrincipal(db, keyDigest(key))).toMatchObject(principal);

  // A node of the first version sends these statements.
  for (const name of ['photos', 'films'])
    await db.query('insert into control.project (id, name) values ($1, $2) on conflict do nothing', [
      namedProjectId(name),
      name,
    ]);
  await db.query('update control.project set deleted_at = now()');
  expect(await readPrincipal(db, keyDigest(key))).toBeUndefined();
  await db.close();
});

it.each([
  ['with unknown migrations', true],
  ['with the same tables', false],
])(
  'a node of an earlier version does not overwrite the SQL functions of a later version %s',
  async (_, hasTables) => {
    const { control, close } = await openDatabases({ kind: 'memory' });
    await control.transaction(async (tx) => {
      await tx.exec(
        `create or replace function control.announce_change() returns void language sql as 'select'`,
      );
      if (hasTables)
        await tx.query("insert into control.schema_change (name, checksum) values ('9999-later.sql', '')");
      await tx.query("update control.schema_change set checksum = 'later' where name = 'functions'");
    });
    await migrate(control, 'control');
    const [row] = await control.query(
      "select prosrc from pg_proc where oid = 'control.announce_change()'::regprocedure",
    );
    expect(row).toEqual({ prosrc: 'select' });
    await close();
  },
);
