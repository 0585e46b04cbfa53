import { readConfig } from '../config.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { UsageError } from './usage.js';

/** `colophon migrate`: migrates the schema. Does nothing when it is up to date. */
export async function migrateCommand(): Promise<void> {
  const { store } = readConfig();
  if (store.kind === 'memory')
    throw new UsageError('There is nothing to migrate: set DATABASE_URL or DATA_DIR.');
  // Rejects with instructions where the records are in Supabase, which only its owner can migrate.
  const databases = await openDatabases(store);
  await databases.close();
  process.stdout.write('The schema is up to date.\n');
}
