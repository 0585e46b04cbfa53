import type { Database } from './database.js';
import { migrate } from './migrate.js';
import { openDirectory } from './pglite/open-directory.js';
import { openPglite } from './pglite/open-pglite.js';
import { readStartTemplate } from './pglite/start-template.js';
import { openPostgres } from './postgres.js';

/** Where the store lives. */
export type StorePlace =
  | { kind: 'memory' }
  | { kind: 'directory'; directory: string }
  | { kind: 'postgresql'; url: string; directUrl: string | undefined; replicaUrl?: string | undefined };

/** A handle for each layer; both may be the same database. */
export interface Databases {
  control: Database;
  provenance: Database;
  close(): Promise<void>;
}

/** Opens the store and brings both layers' schemas up to date. `report` is told when the embedded engine stops. */
export async function openDatabases(place: StorePlace, report?: (error: Error) => void): Promise<Databases> {
  const options = report === undefined ? {} : { report };
  if (place.kind === 'postgresql') {
    // A migration takes as long as it takes.
    const direct = openPostgres(place.directUrl ?? place.url, { statementMs: 0 });
    await migrateBoth(direct).finally(() => direct.close());
    return both(openPostgres(place.url));
  }
  const db = await (place.kind === 'directory'
    ? openDirectory(place.directory, options)
    : openPglite({ directory: undefined, templateFile: readStartTemplate() }, options));
  try {
    await migrateBoth(db);
    return both(db);
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function migrateBoth(db: Database): Promise<void> {
  await assertFit(db);
  await migrate(db, 'control');
  await migrate(db, 'provenance');
}

function both(db: Database): Databases {
  return { control: db, provenance: db, close: () => db.close() };
}

/** Resolves when the database answers. */
export async function ping(db: Database): Promise<void> {
  await db.query('select 1');
}

const MIN_VERSION = 150_000;

/** Decisions are exact only when each statement of a transaction sees what was committed before it. */
async function assertFit(db: Database): Promise<void> {
  const [row] = await db.query<{ version: number; isolation: string }>(
    `select current_setting('server_version_num')::int as version,
       current_setting('default_transaction_isolation') as isolation`,
  );
  if ((row?.version ?? 0) < MIN_VERSION) {
    throw new Error(`PostgreSQL 15 or later is needed; this is ${row?.version}.`);
  }
  if (row?.isolation !== 'read committed') {
    throw new Error(
      `default_transaction_isolation is ${row?.isolation}; set it to 'read committed' for this database or user.`,
    );
  }
}
