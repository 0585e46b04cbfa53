import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBackup, restoreBackup } from '../backup/restore-backup.js';
import { type MadeBackup, writeBackup } from '../backup/write-backup.js';
import { openBlobsOfCommand } from '../compose/bytes.js';
import { type Config, readConfig } from '../config.js';
import { openEmpty, openWithoutMigrating } from '../platform/db/backup/open-as-is.js';
import { findForks } from '../transparency-log/stored-heads.js';
import { describeForks } from './log-check.js';
import { print } from './print.js';
import { type CliProgress, startProgress } from './progress.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** Writes the records of one database snapshot, and the bytes of the contents that these records name. */
export async function backupCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { 'without-bytes': { type: 'boolean', default: false }, json: { type: 'boolean' } },
  });
  const directory = requireDirectory('backup', positionals);
  const includesBytes = !values['without-bytes'];
  const config = readOf('back up');
  if (includesBytes && config.blobs.kind === 'memory')
    throw new UsageError(
      'The bytes are in the memory of the service, where this command cannot read them. Use --without-bytes.',
    );
  const db = await openWithoutMigrating(config.store);
  const blobs = await openBlobsOfCommand(config);
  const progress = createProgress('backing up');
  try {
    const made = await writeBackup({
      ...{ db, blobs, directory, includesBytes, keyDirectory: keyDirectory(config) },
      madeBy: config.version,
      startProgress: progress.start,
    });
    progress.end();
    print({ directory, ...summaryOf(made) }, { json: values.json, describe: () => describe(made) });
    const { missing } = made.manifest.contents;
    if (missing.length > 0)
      throw new NotVerifiedError(`${missing.length} contents are missing from the store.`);
  } finally {
    progress.end();
    await blobs.close();
    await db.close();
  }
}

/** The database must be empty. */
export async function restoreCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { digest: { type: 'string' }, json: { type: 'boolean' } },
  });
  const directory = requireDirectory('restore', positionals);
  const config = readOf('restore');
  const backup = await openBackup(directory);
  if (values.digest !== undefined && values.digest !== backup.digest)
    throw new NotVerifiedError(`The digest of this backup is ${backup.digest}.`);
  if (backup.manifest.contents.included && config.blobs.kind === 'memory')
    throw new UsageError(
      'Restored bytes would be lost, because this configuration stores them in memory. Set DATA_DIR or S3_BUCKET.',
    );
  const db = await openEmpty(config.store);
  const blobs = await openBlobsOfCommand(config);
  const progress = createProgress('restoring');
  try {
    const parts = { db, blobs, directory, keyDirectory: keyDirectory(config), startProgress: progress.start };
    await restoreBackup(parts, backup);
    progress.end();
    const unusedKey = unusedKeyFile(config, directory, backup);
    const found = await findForks({ control: db, provenance: db, store: blobs }).catch((error: unknown) =>
      String(error),
    );
    print(
      {
        ...{ directory, ...summaryOf(backup), ...(unusedKey === undefined ? {} : { unusedKey }) },
        forks: typeof found === 'string' ? null : found.forks,
      },
      {
        json: values.json,
        describe: () => describe(backup) + explainKey(unusedKey) + explainForks(found),
      },
    );
  } finally {
    progress.end();
    await blobs.close();
    await db.close();
  }
}

function requireDirectory(command: string, [directory, ...more]: string[]): string {
  if (directory === undefined || more.length > 0)
    throw new UsageError(`Run \`colophon ${command} <directory>\`.`);
  return path.resolve(directory);
}

function readOf(verb: string): Config {
  const config = readConfig();
  if (config.store.kind === 'memory')
    throw new UsageError(`There is nothing to ${verb}: set DATABASE_URL or DATA_DIR.`);
  if (config.store.supabase !== undefined)
    throw new UsageError(
      `The command cannot ${verb} over REST: unset SUPABASE_URL, and set DATABASE_URL to the connection string of the project ` +
        '(docs/operate/supabase.md).',
    );
  return config;
}

function keyDirectory({ logKey }: Config): string | undefined {
  return logKey.kind === 'directory' ? logKey.directory : undefined;
}

/** Returns the path of the log key in the backup, if the restore did not copy this key. */
function unusedKeyFile(config: Config, directory: string, { manifest }: MadeBackup): string | undefined {
  const isUnused = manifest.hasLogKey && keyDirectory(config) === undefined;
  return isUnused ? path.join(directory, 'log-signing-key') : undefined;
}

function explainKey(unusedKey: string | undefined): string {
  return unusedKey === undefined
    ? ''
    : `The key of the logs was not restored, because this configuration stores no key in DATA_DIR. Set ` +
        `SERVER_SIGNING_KEY to the content of ${unusedKey}, or of ${unusedKey}.next if the service rejects that key.\n`;
}

/** `found`: the result of `findForks`, or the text of its error. */
function explainForks(found: Awaited<ReturnType<typeof findForks>> | string): string {
  if (typeof found === 'string')
    return `The logs could not be compared with their checkpoints in the store for bytes (${found}). Correct this error, then run \`colophon log check\`.\n`;
  return found.forks.length === 0 ? '' : describeForks(found);
}

/** Shows no bar before the total size is known. */
function createProgress(label: string) {
  let progress: CliProgress | undefined;
  return {
    start(sizeBytes: number) {
      progress = startProgress({ label, sizeBytes });
      return progress.advance;
    },
    end() {
      progress?.end();
      progress = undefined;
    },
  };
}

function summaryOf({ digest, manifest }: MadeBackup) {
  const { madeAt, tables, contents } = manifest;
  return { digest, madeAt, rows: tables.reduce((sum, { rows }) => sum + rows, 0), contents };
}

function describe(backup: MadeBackup): string {
  const { digest, madeAt, rows, contents } = summaryOf(backup);
  const bytes = contents.included
    ? `${contents.count} contents of ${contents.sizeBytes} bytes`
    : `no bytes (${contents.count} contents stay in their store)`;
  return `${rows} rows and ${bytes}, of ${madeAt}.\n${digest}\n`;
}
