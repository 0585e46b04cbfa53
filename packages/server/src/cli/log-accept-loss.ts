import { parseArgs } from 'node:util';
import { openBlobsOfCommand } from '../compose/bytes.js';
import { readConfig } from '../config.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { readLogHead } from '../transparency-log/log.sql.js';
import { findFork, forgetSignedHead } from '../transparency-log/signed-heads.js';
import { print } from './print.js';
import { UsageError } from './usage.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * `colophon log accept-loss <project id> --size <n>`: lets the service sign a log again after a restore that lost
 * leaves. The operator must stop all nodes first. The size must be the number in the error of the service, to confirm
 * that the operator means this log and this database. If the stored checkpoint is damaged, the size is not necessary.
 */
export async function logAcceptLossCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { size: { type: 'string' }, json: { type: 'boolean' } },
  });
  const [projectId = '', ...more] = positionals;
  if (!UUID.test(projectId) || more.length > 0)
    throw new UsageError('Run `colophon log accept-loss <project id> --size <leaves of the signed tree>`.');
  const config = readConfig();
  if (config.store.kind === 'memory' || config.blobs.kind === 'memory')
    throw new UsageError(
      'This configuration stores data in memory. Set DATABASE_URL, DATA_DIR or S3_BUCKET as for the service.',
    );
  const { provenance, close } = await openDatabases(config.store);
  const store = await openBlobsOfCommand(config);
  try {
    const { origin, size } = await readLogHead(provenance, projectId);
    const signed = await findFork({ store, provenance }, { projectId, origin });
    if (typeof signed === 'number' && values.size !== String(signed))
      throw new UsageError(
        `The signed tree has ${signed} leaves, and the log in this database ${size}. Add --size ${signed} to accept the loss.`,
      );
    if (signed !== undefined) await forgetSignedHead(store, { projectId, origin });
    print({ origin, size, signed: signed ?? null }, { json: values.json, describe });
  } finally {
    await store.close();
    await close();
  }
}

function describe({ origin, signed }: { origin: string; signed: number | 'damaged' | null }): string {
  if (signed === null)
    return 'The log has all leaves of its signed checkpoint, or no such checkpoint is stored. Nothing was changed.\n';
  return (
    `The service may sign ${origin} again. Readers who have a checkpoint with the lost leaves will report a fork. ` +
    'Tell them about the loss, then start the nodes that you stopped for this command.\n'
  );
}
