import { readConfig } from '../config.js';
import { distribute } from '../platform/db/citus/distribute.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { openPostgres } from '../platform/db/postgres.js';
import { UsageError } from './usage.js';

/** `colophon db distribute`: distributes the records over the nodes of a Citus cluster. */
export async function dbCommand(argv: readonly string[]): Promise<void> {
  if (argv.length !== 1 || argv[0] !== 'distribute') throw new UsageError('Run `colophon db distribute`.');
  const { store } = readConfig();
  if (store.kind !== 'postgresql' || store.supabase !== undefined)
    throw new UsageError('Only a database in PostgreSQL with Citus can be distributed: set DATABASE_URL.');
  await (await openDatabases(store)).close();
  const db = openPostgres(store.directUrl ?? store.url, { statementMs: 0, keepsSession: false });
  try {
    const moved = await distribute(db);
    const says =
      moved.length === 0 ? 'All tables were distributed already.' : `Distributed ${moved.length} tables.`;
    process.stdout.write(`${says} Each node has the functions of this version.\n`);
  } finally {
    await db.close();
  }
}
