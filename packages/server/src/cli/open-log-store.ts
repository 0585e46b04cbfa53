import type { BlobStore } from '../blobs/blob-store.js';
import { openBlobsOfCommand } from '../compose/bytes.js';
import { readConfig } from '../config.js';
import { openAsTheyAre } from '../platform/db/backup/open-as-is.js';
import type { Database } from '../platform/db/database.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { UsageError } from './usage.js';

/** The store for bytes also has the signed checkpoints. If `migrates` is false, the schema stays as it is. */
export async function openLogStore({ migrates }: { migrates: boolean }): Promise<{
  control: Database;
  provenance: Database;
  store: BlobStore;
  close(): Promise<void>;
}> {
  const config = readConfig();
  if (config.store.kind === 'memory' || config.blobs.kind === 'memory')
    throw new UsageError(
      'This configuration stores data in memory. Set DATABASE_URL, DATA_DIR or S3_BUCKET as for the service.',
    );
  const { control, provenance, close } = await (migrates ? openDatabases : openAsTheyAre)(config.store);
  const store = await openBlobsOfCommand(config).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    control,
    provenance,
    store,
    async close() {
      await store.close();
      await close();
    },
  };
}
