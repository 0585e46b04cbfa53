import type { Database } from '../database.js';
import { COPY_COMMENT, NEXT, NotPartitionableError, readCopyComment } from './large-tables.js';
import { LOCK_MS, type LockingOptions, toLockGently, whileLocking } from './while-locking.js';

/** Name of the triggers that repeat changes of a table in its copy. */
export const TRIGGER = 'copy_to_partitions';

/** A copy failed, and its triggers could not be dropped. `cause` is the error of the copy. */
export class CopyRemainsError extends NotPartitionableError {}

/** With `runId`, `dropCopy` drops only the copy of this run. */
interface DropOptions extends LockingOptions {
  runId?: string | undefined;
}

/**
 * Drops the copies and their triggers. Each trigger has its own transaction with a time limit, so requests wait for a
 * short time only. The last step drops the copies, which no request uses. Rejects when `colophon db partition` did not
 * create the schema of the copies.
 */
export async function dropCopy(db: Database, options: DropOptions): Promise<void> {
  const comment = await readCopyComment(db);
  if (comment === undefined || (options.runId !== undefined && comment !== COPY_COMMENT + options.runId))
    return;
  if (!comment.startsWith(COPY_COMMENT))
    throw new NotPartitionableError(
      `The schema ${NEXT} exists, and \`colophon db partition\` did not create it. Rename or drop the schema.`,
    );
  for (const name of await listCopied(db))
    await whileLocking(options, () =>
      db.transaction((tx) => tx.exec(`${toLockGently([name])} drop trigger if exists ${TRIGGER} on ${name}`)),
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

/** Lists the quoted names of the tables that have a trigger for a copy. */
async function listCopied(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger
     where tgname = '${TRIGGER}' and tgparentid = 0 order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Drops the copy after an error, and throws this error. */
export async function failWithoutCopy(db: Database, options: DropOptions, error: unknown): Promise<never> {
  try {
    await dropCopy(db, options);
  } catch (cleanup) {
    throw new CopyRemainsError(
      `${toMessage(error)} The triggers \`${TRIGGER}\` remain on some tables, and recordings take longer. Run the command again to remove them. They remain because: ${toMessage(cleanup)}`,
      { cause: error },
    );
  }
  throw error;
}

const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));
