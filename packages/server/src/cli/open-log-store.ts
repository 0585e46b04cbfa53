import type { BlobStore } from '../blobs/blob-store.js';
import { openBlobsOfCommand } from '../compose/bytes.js';
import { readConfig } from '../config.js';
import type { Database } from '../platform/db/database.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { UsageError } from './usage.js';

/** Opens the records and the store of the signed checkpoints, for a command on the service's own data. */
export async function openLogStore(): Promise<{
  provenance: Database;
  store: BlobStore;
  close(): Promise<void>;
}> {
  const config = readConfig();
  if (config.store.kind === 'memory' || config.blobs.kind === 'memory')
    throw new UsageError(
      'This configuration stores data in memory. Set DATABASE_URL, DATA_DIR or S3_BUCKET as for the service.',
    );
  const { provenance, close } = await openDatabases(config.store);
  const store = await openBlobsOfCommand(config).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    provenance,
    store,
    async close() {
      await store.close();
      await close();
    },
  };
}
