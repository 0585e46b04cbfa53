import { expect, inject, it } from 'vitest';
import { describeCluster } from '../../src/platform/db/citus/describe-cluster.js';
import { distribute, refreshCluster } from '../../src/platform/db/citus/distribute.js';
import { readMigrations } from '../../src/platform/db/layers.js';
import { applySameMigrations, migrate } from '../../src/platform/db/migrate.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { isOnCluster, joinNodes, runOnNodes } from '../support/citus-databases.js';
import { createEmptyDatabase, runSql } from '../support/postgres-databases.js';

/** The first migration that runs on distributed tables. */
const FIRST_ON_SHARDS = '0175';
/** A function of an earlier version. */
const UNUSED = 'record_leaves';
/** Creates the function in each schema whose name matches `schema`. */
const toAddUnused = (schema: string) => `do $$
  declare place text;
  begin
    perform set_config('citus.enable_ddl_propagation', 'off', true);
    for place in select nspname from pg_namespace where nspname ~ '^${schema}$' loop
      execute format('create function %I.${UNUSED}(uuid, jsonb) returns jsonb return null::jsonb', place);
      execute format('comment on schema %I is %L', place, 'of an earlier version');
    end loop;
  end $$`;
const RECORDS = `
  insert into provenance.action (project_id, id, type, performed_by, inputs, outputs, body, digest, salts, fingerprint,
    recorded_at, leaf_index)
  select md5('project' || p)::uuid, md5('action' || n)::uuid, 'create', 'maker ' || n, '{}', '{photo}', '{}', '', '{}', '',
    now(), n from generate_series(1, 5) p, generate_series(1, 2) n;
  insert into provenance.action_output (project_id, cid, action_id)
  select project_id, 'photo', id from provenance.action;
  insert into provenance.resource (project_id, cid, type, created_by, root_action, created_at)
  select project_id, 'photo', 'image', 'maker 1', id, now() from provenance.action where performed_by = 'maker 1'`;
/** A busy machine can need more than the default of 7 s. */
const GATE_MS = 60_000;

it.runIf(isOnCluster())(
  'a cluster of an earlier version gets later migrations on each shard, and loses unused functions',
  async () => {
    const url = await createEmptyDatabase(inject('postgresUrl'));
    await joinNodes(url);
    const db = openPostgres(url, { statementMs: 0, keepsSession: false });
    try {
      const earlier = readMigrations('provenance').filter(({ name }) => name < FIRST_ON_SHARDS);
      await db.transaction((tx) => applySameMigrations(tx, 'provenance', earlier));
      await migrate(db, 'control');
      await distribute(db, { gateMs: GATE_MS });
      await runSql(url, RECORDS);
      await runSql(url, toAddUnused('provenance'));
      await runOnNodes(url, toAddUnused('provenance_[0-9]+'));
      await migrate(db, 'provenance');
      await refreshCluster(db);
      expect(await describeCluster(db)).toMatchObject({ isFit: true });
      const makers = await db.query<{ project: string; id: string }>(
        'select project_id as project, entity_id as id from provenance.content_maker',
      );
      expect(makers.map(({ id }) => id)).toEqual(new Array(5).fill('maker 2'));
      const descending = await db.query<{ result: string }>(
        `select result from run_command_on_shards('provenance.action',
         $$select count(*) from pg_index where indrelid = '%s'::regclass and pg_get_indexdef(indexrelid) like '%% DESC%%'$$)`,
      );
      expect(descending.length).toBeGreaterThan(1);
      expect(new Set(descending.map(({ result }) => result))).toEqual(new Set(['0']));
      expect(await db.query(`select from pg_proc where proname = '${UNUSED}'`)).toEqual([]);
      const unused = await db.query<{ result: string }>('select result from run_command_on_workers($1)', [
        `select count(*) from pg_proc where proname = '${UNUSED}'`,
      ]);
      expect(unused.map(({ result }) => result)).toEqual(['0', '0']);
    } finally {
      await db.close();
    }
  },
);
