import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import { readMigrations } from '../../src/platform/db/layers.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { createDatabase } from '../support/postgres.js';

const NEW_INDEXES = [
  'member_of_account',
  'member_of_org',
  'member_owner',
  'project_of_org',
  'api_key_of_project',
];

describe.skipIf(inject('postgresUrl') === '')('the migration of the lists of the control plane', () => {
  let db: Database;
  beforeAll(async () => {
    db = openPostgres(await createDatabase(inject('postgresUrl')));
    await migrate(db, 'control');
    await db.transaction((tx) =>
      tx.exec(`drop index ${NEW_INDEXES.map((name) => `control.${name}`).join(', ')};
        create index member_account on control.member (account_id);
        create index api_key_project on control.api_key (project_id);`),
    );
  });
  afterAll(() => db?.close());

  it('waits for a transaction that has read members, and lets it create a project', async () => {
    const { sql } = readMigrations('control').find(({ name }) => name === '0165-control-lists.sql') ?? {
      sql: '',
    };
    const orgId = randomUUID();
    await db.query("insert into control.org (id, slug, name) values ($1, 'planet', 'Planet')", [orgId]);
    const { migrated } = await db.transaction(async (tx) => {
      await tx.query('select from control.member');
      const migrated = db.transaction((other) => other.exec(sql)).then(() => 'migrated');
      const blocked =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await vi.waitFor(async () => expect(await db.query(blocked)).toHaveLength(1), { timeout: 10_000 });
      const project = [randomUUID(), orgId];
      await tx.query("insert into control.project (id, org_id, name) values ($1, $2, 'First')", project);
      return { migrated };
    });
    expect(await migrated).toBe('migrated');
  });
});
