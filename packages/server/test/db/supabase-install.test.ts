import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../../src/platform/db/layers.js';
import { migrate, readApplied } from '../../src/platform/db/migrate.js';
import { openDatabases } from '../../src/platform/db/open-databases.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { openSupabase } from '../../src/platform/db/supabase/open-supabase.js';
import { writeInstall } from '../../src/platform/db/supabase/write-install.js';
import { runSql } from '../support/postgres-databases.js';
import { install, type Supabase, startSupabase } from '../support/supabase/supabase.js';

const placeOf = ({ rest, serviceKey }: Supabase) => ({ url: rest.url, serviceKey });

async function open(supabase: Supabase) {
  const db = await openSupabase(placeOf(supabase));
  await db.close();
}

describe('the schema of the records in Supabase', () => {
  let supabase: Supabase;
  beforeAll(async () => {
    supabase = await startSupabase({ installed: false });
  });
  afterAll(() => supabase.stop());

  it('is required for the start, and the error names the command to run', async () => {
    const message = await open(supabase).catch((error: Error) => error.message);
    expect(message).toContain('not in Supabase');
    expect(message).toContain('colophon supabase-sql | psql');
    expect(message).toContain('SQL editor');
    const both = { kind: 'memory', supabase: placeOf(supabase) } as const;
    await expect(openDatabases(both)).rejects.toThrow('colophon supabase-sql');
  });

  it('can be installed by a database owner who is not a superuser', async () => {
    await install(supabase.ownerUrl);
    await open(supabase);
  });

  it('can be installed again without loss', async () => {
    const db = await openSupabase(placeOf(supabase));
    await db.query(
      `insert into provenance.lease (name, holder, until) values ('kept', gen_random_uuid(), now())`,
    );
    await install(supabase.ownerUrl);
    expect(await db.query(`select name from provenance.lease where name = 'kept'`)).toEqual([
      { name: 'kept' },
    ]);
    await db.close();
  });

  it('has the list of migrations that a direct connection writes', async () => {
    const direct = openPostgres(supabase.ownerUrl);
    const before = await readApplied(direct, 'provenance');
    await migrate(direct, 'provenance');
    expect(await readApplied(direct, 'provenance')).toEqual(before);
    await direct.close();
  });

  it.each([
    [
      'migrations',
      `delete from provenance.schema_change where name = '0110-webhooks.sql'`,
      '0110-webhooks.sql',
    ],
    ['functions', `delete from provenance.schema_change where name like 'functions%'`, 'an earlier version'],
  ])('prevents the start if it lacks %s of this version', async (_what, lose, named) => {
    const kept = await runSql(supabase.ownerUrl, 'select name, checksum from provenance.schema_change');
    await runSql(supabase.ownerUrl, lose);
    await expect(open(supabase)).rejects.toThrow(named);
    await expect(open(supabase)).rejects.toThrow('colophon supabase-sql');
    for (const { name, checksum } of kept)
      await runSql(
        supabase.ownerUrl,
        'insert into provenance.schema_change (name, checksum) values ($1, $2) on conflict do nothing',
        [String(name), String(checksum)],
      );
    await open(supabase);
  });

  it('prevents start and installation if an applied migration had another text', async () => {
    const set = (checksum: string) =>
      runSql(
        supabase.ownerUrl,
        `update provenance.schema_change c set checksum = $1 from provenance.schema_change old
         where c.name = '0002-outbox.sql' and old.name = c.name returning old.checksum`,
        [checksum],
      );
    const [before] = await set('another');
    await expect(open(supabase)).rejects.toThrow('0002-outbox.sql was changed');
    await expect(install(supabase.ownerUrl)).rejects.toThrow('0002-outbox.sql was changed');
    await set(String(before?.checksum));
    await open(supabase);
  });

  it('keeps functions of a later version, which also serve this version', async () => {
    await runSql(
      supabase.ownerUrl,
      `insert into provenance.schema_change (name, checksum) values ('9999-later.sql', 'x')`,
    );
    await runSql(
      supabase.ownerUrl,
      `update provenance.schema_change set checksum = 'later' where name = 'functions'`,
    );
    await install(supabase.ownerUrl);
    await open(supabase);
    const [row] = await runSql(
      supabase.ownerUrl,
      `select checksum from provenance.schema_change where name = 'functions'`,
    );
    expect(row?.checksum).toBe('later');
  });
});

describe('an upgrade from an earlier version', () => {
  it('runs only the missing migrations', async () => {
    const supabase = await startSupabase({ installed: false });
    const whole = writeInstall('1.0.0');
    const last = readMigrations('provenance').at(-1);
    const blocks = whole.split('do $install$');
    const before = blocks.filter((block) => !block.includes(`values ('${last?.name}', '${last?.checksum}')`));
    expect(before).toHaveLength(blocks.length - 1);
    await install(supabase.ownerUrl, before.join('do $install$'));
    await expect(open(supabase)).rejects.toThrow(String(last?.name));
    await install(supabase.ownerUrl, whole);
    await open(supabase);
    await supabase.stop();
  });
});

describe('access to the records in Supabase', () => {
  let supabase: Supabase;
  beforeAll(async () => {
    supabase = await startSupabase();
  });
  afterAll(() => supabase.stop());

  const as = (role: string, sql: string) =>
    runSql(
      supabase.authenticatorUrl,
      `do $$ begin set local role ${role}; execute $sql$ ${sql} $sql$; end $$`,
    );

  it('roles of callers have no right to any table; service_role may call two functions, the others none', async () => {
    const tables = await runSql(
      supabase.ownerUrl,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'provenance'`,
    );
    expect(tables.length).toBeGreaterThan(15);
    for (const role of ['anon', 'authenticated', 'service_role'])
      for (const { name } of tables) {
        const privileges = ['select', 'insert', 'update', 'delete', 'truncate'].join(',');
        const [held] = await runSql(
          supabase.ownerUrl,
          `select has_schema_privilege($1, 'provenance', 'usage') or has_table_privilege($1, $2, $3) as held`,
          [role, String(name), privileges],
        );
        expect(held, `${role} on ${name}`).toEqual({ held: false });
      }
    const callable = await runSql(
      supabase.ownerUrl,
      `select r.role, p.proname from pg_proc p, unnest(array['anon', 'authenticated', 'service_role']) r(role)
       where p.pronamespace in ('provenance'::regnamespace, 'public'::regnamespace)
         and has_function_privilege(r.role, p.oid, 'execute')
         and has_schema_privilege(r.role, p.pronamespace, 'usage') order by 1, 2`,
    );
    expect(callable).toEqual([
      { role: 'service_role', proname: 'colophon_run' },
      { role: 'service_role', proname: 'colophon_schema' },
    ]);
  });

  it.each(['anon', 'authenticated'])('the role %s is rejected', async (role) => {
    await expect(as(role, 'select from provenance.action')).rejects.toThrow('permission denied');
    await expect(as(role, 'select public.colophon_schema()')).rejects.toThrow('permission denied');
    const call = `select public.colophon_run('[{"text":"select 1"}]', '[]', true)`;
    await expect(as(role, call)).rejects.toThrow('permission denied');
  });

  it.each([
    ['a read of another schema', 'select * from elsewhere.secret', 'permission denied'],
    ['a definition', 'drop table provenance.action', 'syntax error'],
    ['a definition after a statement', 'select 1; drop table provenance.action', 'One statement'],
    ['a change of the role', `select set_config('role', 'service_role', false)`, 'security-definer'],
    ['a commit', 'commit', 'syntax error'],
    ['a truncation of a table', 'truncate provenance.action', 'syntax error'],
  ])('the key of the service cannot use the function for %s', async (_what, text, refusal) => {
    await runSql(supabase.ownerUrl, 'create schema if not exists elsewhere');
    await runSql(supabase.ownerUrl, 'create table if not exists elsewhere.secret (text text)');
    const db = await openSupabase(placeOf(supabase));
    const error = await db.query(text).catch((caught: Error) => caught);
    expect(
      `${error} ${(error as Error).cause} ${((error as Error).cause as Error | undefined)?.message}`,
    ).toContain(refusal);
    await db.close();
  });
});
