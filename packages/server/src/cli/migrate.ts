import { readConfig } from '../config.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { UsageError } from './usage.js';

export async function migrateCommand(): Promise<void> {
  const { store } = readConfig();
  if (store.kind === 'memory')
    throw new UsageError('There is nothing to migrate: set DATABASE_URL or DATA_DIR.');
  // For records in Supabase, openDatabases() rejects an old schema: only the owner of that project can migrate it.
  const databases = await openDatabases(store);
  await databases.close();
  process.stdout.write('The schema is up to date.\n');
}
