import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { listTables } from '../../src/platform/db/backup/tables.js';
import { readMigrations } from '../../src/platform/db/layers.js';
import { applySameMigrations } from '../../src/platform/db/migrate.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { createDatabase } from '../support/postgres.js';
import { runSql } from '../support/postgres-databases.js';
import { jsonPost, type Service, startService } from '../support/service.js';

const GUIDE = readFileSync(new URL('../../../../docs/operate/scale.md', import.meta.url), 'utf8');

/** Reads the statements of the guide under a heading. */
function statementsUnder(heading: string): string[] {
  const section = GUIDE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql = '']) => sql);
}

const [PARTITION = '', LARGEST = ''] = statementsUnder('Partitions by project');

/** The complete definition of each table, except its kind. */
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

async function recordSome(service: Service): Promise<{ cid: string; actionId: string }> {
  const made = await service.upload(`a text of some length, written now ${randomUUID()}`);
  const { entityId, cid } = await made.json();
  const outputCids = [`sha256:${randomUUID().replaceAll('-', '').repeat(2)}`];
  const action = { type: 'transform', performedBy: entityId, inputCids: [cid], outputCids };
  const { actionId } = await (await service.send('/v1/action', jsonPost(action))).json();
  return { cid: outputCids[0] ?? '', actionId };
}

/** The tables as a backup sees them. */
async function readTables(url: string) {
  const db = openPostgres(url);
  return listTables(db).finally(() => db.close());
}

async function read(service: Service, path: string): Promise<unknown> {
  const answer = await service.send(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

describe('the guide to scaling', () => {
  it('has valid statements for vacuum and monitoring', async () => {
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

    await ask(PARTITION);

    expect(await ask(SHAPE)).toEqual(shape);
    // A backup contains these tables, and restores into a database without partitions.
    expect(await readTables(environment.DATABASE_URL)).toEqual(tables);
    expect(await ask(LARGEST)).toMatchObject([{ parts: 16 }]);
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

  it('gives a partitioned database to which later migrations apply', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    const db = openPostgres(url);
    const earlier = readMigrations('provenance').filter(({ name }) => name < '0080');
    await db.transaction((tx) => applySameMigrations(tx, 'provenance', earlier));
    await db.close();
    await runSql(url, PARTITION);
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
