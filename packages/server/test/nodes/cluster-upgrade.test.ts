import { expect, inject, it } from 'vitest';
import { describeCluster } from '../../src/platform/db/citus/describe-cluster.js';
import { distribute } from '../../src/platform/db/citus/distribute.js';
import { readMigrations } from '../../src/platform/db/layers.js';
import { applySameMigrations, migrate } from '../../src/platform/db/migrate.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { isOnCluster, joinNodes } from '../support/citus-databases.js';
import { createEmptyDatabase } from '../support/postgres-databases.js';

/** Earlier versions distributed tables that had the migrations before this one. */
const FIRST_ON_SHARDS = '0175';
/** A busy machine needs longer than the product allows. */
const GATE_MS = 60_000;

it.runIf(isOnCluster())(
  'a cluster of an earlier version gets the later migrations on each shard',
  async () => {
    const url = await createEmptyDatabase(inject('postgresUrl'));
    await joinNodes(url);
    const db = openPostgres(url, { statementMs: 0, keepsSession: false });
    try {
      const earlier = readMigrations('provenance').filter(({ name }) => name < FIRST_ON_SHARDS);
      await db.transaction((tx) => applySameMigrations(tx, 'provenance', earlier));
      await migrate(db, 'control');
      await distribute(db, { gateMs: GATE_MS });
      await migrate(db, 'provenance');
      expect(await describeCluster(db)).toMatchObject({ isFit: true });
      const descending = await db.query<{ result: string }>(
        `select result from run_command_on_shards('provenance.action',
         $$select count(*) from pg_index where indrelid = '%s'::regclass and pg_get_indexdef(indexrelid) like '%% DESC%%'$$)`,
      );
      expect(descending.length).toBeGreaterThan(1);
      expect(new Set(descending.map(({ result }) => result))).toEqual(new Set(['0']));
    } finally {
      await db.close();
    }
  },
);
