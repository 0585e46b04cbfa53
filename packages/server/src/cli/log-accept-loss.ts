import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { openBlobs } from '../compose/bytes.js';
import { readConfig } from '../config.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { findFork, forgetSignedHead } from '../transparency-log/signed-heads.js';
import { print } from './print.js';
import { UsageError } from './usage.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `colophon log accept-loss <project id>`: lets the service sign a log again after a restore that lost leaves. */
export async function logAcceptLossCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  const [projectId = '', ...more] = positionals;
  if (!UUID.test(projectId) || more.length > 0)
    throw new UsageError('Run `colophon log accept-loss <project id>`.');
  const config = readConfig();
  if (config.store.kind === 'memory' || config.blobs.kind === 'memory')
    throw new UsageError(
      'Nothing outlives this service. Set the DATABASE_URL, DATA_DIR and S3_BUCKET that it uses.',
    );
  const { provenance, close } = await openDatabases(config.store);
  const store = await openBlobs(config, pino({ level: 'warn' }, pino.destination(2)));
  try {
    const fork = await findFork({ store, provenance }, projectId);
    if (fork !== undefined) await forgetSignedHead(store, projectId);
    const signed = fork === undefined ? null : { origin: fork.origin, size: fork.size };
    print({ projectId, signed }, { json: values.json, describe: () => describe(signed) });
  } finally {
    await store.close();
    await close();
  }
}

function describe(signed: { origin: string; size: number } | null): string {
  return signed === null
    ? 'The log continues its signed tree, so nothing was changed.\n'
    : `The service may sign ${signed.origin} again. A reader who has a checkpoint from the lost leaves, at most ` +
        `${signed.size}, will report a fork: tell them about the loss. Restart all nodes.\n`;
}
