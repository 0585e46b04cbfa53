import type { Database } from '../database.js';
import { NEXT, NotPartitionableError, readCopy } from './large-tables.js';
import { LOCK_MS, type LockingOptions, toLockGently, whileLocking } from './while-locking.js';

/** Name of the triggers that repeat changes of a table in its copy. */
export const TRIGGER = 'copy_to_partitions';
/** Name of the triggers that note the keys of changed rows for `colophon db distribute`. */
export const NOTING_TRIGGER = 'note_for_shards';

/** A copy failed, and it or its triggers could not be dropped. `cause` is the error of the copy. */
export class CopyRemainsError extends NotPartitionableError {}

/** With `runId`, `dropCopy` drops only the copy of this run. */
interface DropOptions extends LockingOptions {
  runId?: string | undefined;
}

/**
 * Each trigger has its own transaction with a time limit, so requests wait for a short time only. Rejects when no
 * command of the service created the schema of the copies.
 */
export async function dropCopy(db: Database, options: DropOptions): Promise<void> {
  const copy = await readCopy(db);
  if (copy === undefined || (options.runId !== undefined && copy.runId !== options.runId)) return;
  if (copy.command === undefined)
    throw new NotPartitionableError(
      `The schema ${NEXT} exists, and no command of Colophon created it. Rename or drop the schema.`,
    );
  for (const { name, trigger } of await listTriggers(db))
    await whileLocking(options, () =>
      db.transaction((tx) => tx.exec(`${toLockGently([name])} drop trigger if exists ${trigger} on ${name}`)),
    );
  const copies = await db.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = to_regnamespace('${NEXT}') and relkind in ('r', 'p') and not relispartition`,
  );
  const steps = [
    ...copies.map(({ name }) => `drop table ${NEXT}.${name}`),
    `drop schema if exists ${NEXT} cascade`,
  ];
  for (const step of steps)
    await whileLocking(options, () =>
      db.transaction((tx) => tx.exec(`set local lock_timeout = ${LOCK_MS}; ${step}`)),
    );
}

function listTriggers(db: Database): Promise<{ name: string; trigger: string }[]> {
  return db.query(
    `select tgrelid::regclass::text as name, tgname::text as trigger from pg_trigger
     where tgname in ('${TRIGGER}', '${NOTING_TRIGGER}') and tgparentid = 0 order by 1`,
  );
}

export async function failWithoutCopy(db: Database, options: DropOptions, error: unknown): Promise<never> {
  try {
    await dropCopy(db, options);
  } catch (cleanup) {
    throw new CopyRemainsError(
      `${toMessage(error)} Copies of the tables remain. The triggers \`${TRIGGER}\` or \`${NOTING_TRIGGER}\`, which make recordings slower, can remain too. Run the command again to remove both. They remain because: ${toMessage(cleanup)}`,
      { cause: error },
    );
  }
  throw error;
}

const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));
