import { parseArgs } from 'node:util';
import { readConfig } from '../config.js';
import { isDistributedAtLast } from '../platform/db/citus/cluster-functions.js';
import type { DistributeOptions } from '../platform/db/citus/copy-to-shards.js';
import { distribute } from '../platform/db/citus/distribute.js';
import type { Database } from '../platform/db/database.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { CopyRemainsError } from '../platform/db/partition/drop-copy.js';
import { NotPartitionableError, readTables } from '../platform/db/partition/large-tables.js';
import { countBytesToPartition, partition } from '../platform/db/partition/partition.js';
import { openPostgres } from '../platform/db/postgres.js';
import { startProgress } from './progress.js';
import { toNumber } from './subcommands.js';
import { NotVerifiedError, UsageError } from './usage.js';

const DEFAULT_PARTS = 16;
const MAX_PARTS = 64;

export async function dbCommand(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { parts: { type: 'string' } },
  });
  const [command, ...others] = positionals;
  if (others.length > 0 || (command !== 'distribute' && command !== 'partition'))
    throw new UsageError('Run `colophon db distribute` or `colophon db partition`.');
  if (command === 'partition') await inDatabase((db) => partitionAll(db, toParts(values.parts)));
  else if (values.parts === undefined) await inDatabase(distributeAll);
  else throw new UsageError('`--parts` is an option of `colophon db partition`.');
}

function toParts(text: string | undefined): number {
  const parts = toNumber('parts', text) ?? DEFAULT_PARTS;
  if (parts < 2 || parts > MAX_PARTS)
    throw new UsageError(`\`--parts\` is the number of partitions of each table: 2 to ${MAX_PARTS}.`);
  return parts;
}

/** Migrates the database first. The statements of `run` have no time limit. */
async function inDatabase(run: (db: Database) => Promise<string>): Promise<void> {
  const { store } = readConfig();
  if (store.kind !== 'postgresql' || store.supabase !== undefined)
    throw new UsageError('Only a database in PostgreSQL can be divided by project: set DATABASE_URL.');
  await (await openDatabases(store)).close();
  const db = openPostgres(store.directUrl ?? store.url, { statementMs: 0, keepsSession: false });
  try {
    process.stdout.write(`${await run(db)}\n`);
  } finally {
    await db.close();
  }
}

async function distributeAll(db: Database): Promise<string> {
  const { tables, pausedMs } = await whileCopying(db, {
    copy: (options) => distribute(db, options),
    isReplaced: () => isDistributedAtLast(db),
  });
  const says =
    tables.length === 0
      ? 'All tables were distributed already.'
      : `Distributed ${tables.length} tables. The service waited for ${Math.ceil(pausedMs)} ms.`;
  return `${says} Each node has the functions of this version.`;
}

async function partitionAll(db: Database, parts: number): Promise<string> {
  const { tables, pausedMs } = await whileCopying(db, {
    copy: (options) => partition(db, { parts, ...options }),
    isReplaced: async () => (await readTables(db)).length === 0,
  });
  if (tables.length === 0) return 'All large tables of records have partitions already.';
  return `Divided ${tables.length} tables into ${parts} partitions each. The service waited for ${Math.ceil(pausedMs)} ms.`;
}

interface Copying<T> {
  copy: (options: DistributeOptions) => Promise<T>;
  /** Whether the copies have replaced the tables. */
  isReplaced: () => Promise<boolean>;
  stopping?: AbortController;
}

/** A signal interrupts the copy. The error then says whether the tables are replaced. */
export async function whileCopying<T>(
  db: Database,
  { copy, isReplaced, stopping = new AbortController() }: Copying<T>,
): Promise<T> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopping.abort(new Error('Interrupted.')));
  const progress = startProgress({ label: 'copied', sizeBytes: await countBytesToPartition(db) });
  try {
    const report = (warning: string) => void process.stderr.write(`${warning}\n`);
    const result = await copy({ advance: progress.advance, signal: stopping.signal, report });
    progress.end();
    return result;
  } catch (error) {
    if (stopping.signal.aborted && !(error instanceof CopyRemainsError))
      throw new NotVerifiedError(`Interrupted. ${await describeTables(isReplaced)}`);
    throw error instanceof NotPartitionableError ? new NotVerifiedError(error.message) : error;
  }
}

async function describeTables(isReplaced: () => Promise<boolean>): Promise<string> {
  try {
    return (await isReplaced())
      ? 'The tables are already replaced. Run the command again to finish.'
      : 'The tables are unchanged.';
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `It is not known whether the tables are replaced (${message}). Run the command again.`;
  }
}
