import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { writeBackup } from '../../src/backup/write-backup.js';
import { createMemoryStore } from '../../src/blobs/memory-store.js';
import { listTables } from '../../src/platform/db/backup/tables.js';
import type { Database, Tx } from '../../src/platform/db/database.js';
import { readMigrations } from '../../src/platform/db/layers.js';
import { applySameMigrations } from '../../src/platform/db/migrate.js';
import { partition } from '../../src/platform/db/partition/partition.js';
import type { PartitionOptions } from '../../src/platform/db/partition/partition-options.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { createLedger, TENANTS } from '../support/ledger.js';
import { createDatabase } from '../support/postgres.js';
import { createMigratedDatabase, runSql } from '../support/postgres-databases.js';
import { runCli } from '../support/run-cli.js';
import { jsonPost, type Service, startService } from '../support/service.js';

const GUIDE = readFileSync(new URL('../../../../docs/operate/scale.md', import.meta.url), 'utf8');

function statementsUnder(heading: string): string[] {
  const section = GUIDE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql = '']) => sql);
}

const [LARGEST = ''] = statementsUnder('Partitions by project');

/** Omits whether the table is partitioned. */
const SHAPE = `
  select c.relname as "table",
    (select array_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage,
       pg_get_expr(d.adbin, d.adrelid)) order by a.attname)
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select array_agg(replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') order by i.indexrelid::regclass::text)
     from pg_index i where i.indrelid = c.oid) as indexes,
    (select array_agg(o.conname || ' ' || pg_get_constraintdef(o.oid) order by o.conname)
     from pg_constraint o where o.conrelid = c.oid) as constraints,
    (select array_agg(one::text order by one::text) from unnest(c.relacl) one) as grants
  from pg_class c
  where c.relnamespace = 'provenance'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`;

const TRIGGERS = `select distinct tgrelid::regclass::text as "table" from pg_trigger where tgname = 'copy_to_partitions'`;

const COPIES = `select to_regnamespace('provenance_next')::text as copies`;

async function recordSome(service: Service): Promise<{ cid: string; actionId: string }> {
  const made = await service.upload(`a text of some length, written now ${randomUUID()}`);
  const { entityId, cid } = await made.json();
  const outputCids = [`sha256:${randomUUID().replaceAll('-', '').repeat(2)}`];
  const action = { type: 'transform', performedBy: entityId, inputCids: [cid], outputCids };
  const { actionId } = await (await service.send('/v1/action', jsonPost(action))).json();
  return { cid: outputCids[0] ?? '', actionId };
}

const doctor = (url: string) => runCli(['doctor'], { DATABASE_URL: url });

async function partitionDatabase(url: string, options: Partial<PartitionOptions> = {}) {
  const db = openPostgres(url, { statementMs: 0, keepsSession: false });
  return partition(db, { parts: 16, ...options }).finally(() => db.close());
}

/** A backup contains these tables. */
async function readTables(url: string) {
  const db = openPostgres(url);
  return listTables(db).finally(() => db.close());
}

async function read(service: Service, path: string): Promise<unknown> {
  const answer = await service.send(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

describe('`colophon db partition`', () => {
  it('has a guide with valid statements for vacuum and monitoring', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    const service = await startService('PostgreSQL', { environment: { DATABASE_URL: url } });
    try {
      const statements = [...statementsUnder('Vacuum'), ...statementsUnder('Monitoring')];
      expect(statements).toHaveLength(2);
      for (const sql of statements) await runSql(url, sql);
    } finally {
      await service.stop();
    }
  });

  it('partitions tables with all their dependencies, and the service continues', async () => {
    const environment = { DATABASE_URL: await createDatabase(inject('postgresUrl')) };
    const ask = (sql: string) => runSql(environment.DATABASE_URL, sql);
    const before = await startService('PostgreSQL', { environment });
    const early = await recordSome(before);
    const paths = [`/v1/bundle/${early.cid}`, '/v1/actions', '/v1/entities', '/v1/attributions'];
    const known = await Promise.all(paths.map((path) => read(before, path)));
    await before.stop();
    await ask('grant select on provenance.action to public');
    const shape = await ask(SHAPE);
    const tables = await readTables(environment.DATABASE_URL);

    const { tables: partitioned } = await partitionDatabase(environment.DATABASE_URL);

    expect(partitioned).toContain('action');
    expect(await partitionDatabase(environment.DATABASE_URL)).toEqual({ tables: [], pausedMs: 0 });
    expect(await doctor(environment.DATABASE_URL)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^partitions +15 tables are divided by project, into 240 partitions$/m),
    });
    expect(await ask(SHAPE)).toEqual(shape);
    // A backup restores into a database without partitions.
    expect(await readTables(environment.DATABASE_URL)).toEqual(tables);
    expect(await ask(LARGEST)).toMatchObject([{ parts: 16 }]);
    const options = `select relname from pg_class where reloptions is not null and relname ~ '^(action|entity)_'`;
    expect(await ask(options)).toEqual([]);
    const after = await startService('PostgreSQL', { environment });
    try {
      expect(await Promise.all(paths.map((path) => read(after, path)))).toEqual(known);
      const { cid, actionId } = await recordSome(after);
      expect(await read(after, '/v1/actions?limit=1')).toMatchObject({ actions: [{ id: actionId }] });
      expect(await read(after, `/v1/bundle/${cid}`)).toMatchObject({ complete: true });
      await read(after, `/v1/bundle/${cid}?proof=true`);
    } finally {
      await after.stop();
    }
    const plan = await ask(
      `explain (costs off) select from provenance.action where project_id = '${randomUUID()}' and id = '${randomUUID()}'`,
    );
    expect(JSON.stringify(plan).match(/action_\d+/g)).toHaveLength(1);
  });

  it('partitions tables while two projects record, and no request fails', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    const service = await startService('PostgreSQL', { environment: { DATABASE_URL: url, ...TENANTS } });
    try {
      const ledger = createLedger();
      const load = ledger.load(service.base, 2);
      await ledger.untilAcknowledged(12);
      // Copies one page at a time, so that recordings change the tables during the copy.
      await partitionDatabase(url, { pagesAtOnce: 1, parts: 4 });
      await ledger.untilAcknowledged(12);
      await load.stop();
      await ledger.check(service.base);
      expect([...ledger.statuses.keys()]).toEqual([201]);
      expect(await runSql(url, LARGEST)).toMatchObject([{ parts: 4 }]);
    } finally {
      await service.stop();
    }
  });

  it('copies rows that change, move, appear or disappear during the copy', async () => {
    const url = await createMigratedDatabase(inject('postgresUrl'));
    const project = randomUUID();
    const ask = (sql: string) => runSql(url, sql);
    await ask(`insert into provenance.content_alias (project_id, alias, cid)
      select '${project}', 'alias ' || n, 'cid ' || n from generate_series(1, 2000) n`);
    const steps = [
      `update provenance.content_alias set cid = 'changed' where alias in ('alias 1', 'alias 1999')`,
      `delete from provenance.content_alias where alias in ('alias 2', 'alias 1998')`,
      `update provenance.content_alias set alias = 'moved' where alias = 'alias 1997'`,
      `insert into provenance.content_alias (project_id, alias, cid) values ('${project}', 'new', 'new')`,
    ];
    const known = `select count(*)::int, sum(hashtext(t::text)) as sum from provenance.content_alias t`;
    // Changes rows after the copy of the first page.
    const advance = async () => {
      for (const sql of steps.splice(0)) await ask(sql);
    };
    await ask(`create table kept as select * from provenance.content_alias`);
    for (const sql of steps) await ask(sql.replace('provenance.content_alias', 'kept'));
    const expected = await ask(known.replace('provenance.content_alias', 'kept'));
    await partitionDatabase(url, { pagesAtOnce: 1, advance });
    expect(await ask(known)).toEqual(expected);
    expect(await ask('select count(*)::int from provenance.content_alias')).toEqual([{ count: 1999 }]);
  });

  it('leaves the tables as they were after an interruption', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    const service = await startService('PostgreSQL', { environment: { DATABASE_URL: url } });
    try {
      const { cid } = await recordSome(service);
      const shape = await runSql(url, SHAPE);
      const stopping = new AbortController();
      const holding = openPostgres(url, { keepsSession: false });
      // A long read keeps a lock on a table that has a trigger.
      await holding.transaction(async (tx) => {
        const advance = async () => {
          await tx.query('select count(*) from provenance.action');
          stopping.abort(new Error('interrupted'));
        };
        await expect(
          partitionDatabase(url, { signal: stopping.signal, attempts: 2, advance }),
        ).rejects.toThrow(/^interrupted .*copy_to_partitions/);
        await recordSome(service);
        const triggers = await runSql(url, TRIGGERS);
        expect(triggers).toContainEqual({ table: 'provenance.action' });
        expect(await doctor(url)).toMatchObject({
          status: 3,
          stdout: expect.stringMatching(
            /^partitions +`colophon db partition` was interrupted.*Run the command again$/m,
          ),
        });
        await runSql(url, `comment on schema provenance_next is 'Copy by colophon db distribute, run other'`);
        const { stderr } = await doctor(url);
        expect(stderr).toContain('`colophon db distribute` was interrupted');
        expect(stderr).not.toContain('db partition');
        await runSql(url, `comment on schema provenance_next is 'Copy by colophon db partition, run other'`);
        await tx.query('select pg_advisory_xact_lock(7230193)');
        expect(await doctor(url)).toMatchObject({
          status: 0,
          stdout: expect.stringMatching(/^partitions +`colophon db partition` is running$/m),
        });
      });
      await holding.close();
      const again = partitionDatabase(url, {
        signal: AbortSignal.abort(new Error('interrupted')),
      });
      await expect(again).rejects.toThrow('interrupted');
      expect(await runSql(url, SHAPE)).toEqual(shape);
      expect(await runSql(url, `select to_regnamespace('provenance_next') as left`)).toEqual([
        { left: null },
      ]);
      expect(await read(service, `/v1/bundle/${cid}`)).toMatchObject({ complete: true });
    } finally {
      await service.stop();
    }
  });

  it('rejects a second copy at the same time, and a copy of a table that a migration changes', async () => {
    const url = await createMigratedDatabase(inject('postgresUrl'));
    const db = openPostgres(url, { keepsSession: false });
    try {
      await db.transaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock(7230193)');
        await expect(partitionDatabase(url)).rejects.toThrow('Another `colophon db partition` or');
      });
      await runSql(url, `insert into provenance.content_alias values ('${randomUUID()}', 'alias', 'cid')`);
      const advance = async () => {
        await runSql(url, 'alter table provenance.entity add column later text');
      };
      await expect(partitionDatabase(url, { advance })).rejects.toThrow('A migration changed the tables');
      const replace = async () => {
        await runSql(url, `comment on schema provenance_next is 'Copy by colophon db partition, run other'`);
      };
      await expect(partitionDatabase(url, { advance: replace })).rejects.toThrow('Another run');
      expect(await runSql(url, COPIES)).toEqual([{ copies: 'provenance_next' }]);
      expect((await partitionDatabase(url)).tables).toContain('entity');
    } finally {
      await db.close();
    }
  });

  it('rejects tables on which something depends, and a schema `provenance_next` that it did not create', async () => {
    const url = await createMigratedDatabase(inject('postgresUrl'));
    await runSql(url, 'create view public.seen as select id from provenance.action');
    await runSql(url, 'create publication copies for table provenance.entity');
    await expect(partitionDatabase(url)).rejects.toThrow('publication of entity, view seen of action');
    await runSql(url, 'create schema provenance_next');
    await expect(partitionDatabase(url)).rejects.toThrow('no command of Colophon created it');
    expect(await runSql(url, COPIES)).toEqual([{ copies: 'provenance_next' }]);
  });

  it('rejects more partitions than the server has locks for, and names the setting', async () => {
    const url = await createMigratedDatabase(inject('postgresUrl'));
    await expect(partitionDatabase(url, { parts: 1_024 })).rejects.toThrow(/set max_locks_per_transaction/);
    expect(await runSql(url, `select to_regnamespace('provenance_next') as left`)).toEqual([{ left: null }]);
  });

  it('lets a backup that runs during the replacement read all rows', async () => {
    const url = await createMigratedDatabase(inject('postgresUrl'));
    await runSql(url, `insert into provenance.content_alias values ('${randomUUID()}', 'alias', 'cid')`);
    const db = openPostgres(url, { statementMs: 0, keepsSession: false });
    const folder = mkdtempSync(path.join(tmpdir(), 'colophon-backup-'));
    let replacing: Promise<unknown> | undefined;
    const meanwhile: Database = {
      ...db,
      transaction: (run) =>
        db.transaction((tx) => {
          const query: Tx['query'] = async (...given) => {
            const rows = await tx.query(...given);
            replacing ??= partitionDatabase(url, { attempts: 1 }).catch((error: unknown) => error);
            await replacing;
            return rows as never;
          };
          return run({ ...tx, query });
        }),
    };
    try {
      const { manifest } = await writeBackup({
        ...{ db: meanwhile, blobs: createMemoryStore(1_000), directory: path.join(folder, 'backup') },
        ...{ includesBytes: false, keyDirectory: undefined, madeBy: 'test', startProgress: () => () => {} },
      });
      expect(String(await replacing)).toContain('kept a lock on the tables');
      const table = manifest.tables.find(({ name }) => name === 'provenance.content_alias');
      expect(table).toMatchObject({ rows: 1 });
    } finally {
      await db.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('partitions the database of an earlier version, and the later migrations then apply to it', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    const db = openPostgres(url);
    const earlier = readMigrations('provenance').filter(({ name }) => name < '0080');
    await db.transaction((tx) => applySameMigrations(tx, 'provenance', earlier));
    await db.close();
    await partitionDatabase(url);
    const service = await startService('PostgreSQL', { environment: { DATABASE_URL: url } });
    try {
      const { cid } = await recordSome(service);
      expect(await read(service, `/v1/bundle/${cid}`)).toMatchObject({ complete: true });
      await read(service, `/v1/resource/${cid}/ownership`);
    } finally {
      await service.stop();
    }
  });
});
