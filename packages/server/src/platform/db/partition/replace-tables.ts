import type { Database, Tx } from '../database.js';
import { toEnterSql } from '../schema-changes.js';
import { type LargeTable, NEXT, NotPartitionableError, readCopy, readTables } from './large-tables.js';
import type { PartitionRun } from './partition-options.js';
import { LOCK_MS, toLockGently, whileLocking } from './while-locking.js';

/** Returns the total duration of all attempts, from the lock of the tables to the end of the transaction, in ms. */
export async function replaceAll(
  db: Database,
  tables: readonly LargeTable[],
  options: PartitionRun,
): Promise<number> {
  const names = tables.map(({ name }) => name);
  const live = names.map((name) => `provenance.${name}`);
  let pausedMs = 0;
  await whileLocking(options, async () => {
    let lockedAt: number | undefined;
    await db
      .transaction(async (tx) => {
        await tx.exec(
          `${toEnterSql('provenance')} ${toLockGently(live)} set local statement_timeout = ${LOCK_MS}`,
        );
        lockedAt = performance.now();
        await tx.exec(`lock table ${live.join(', ')} in access exclusive mode`);
        // `lock_timeout` still limits the next statements.
        await tx.exec('set local statement_timeout = 0');
        await assertUnchanged(tx, tables, options.runId);
        const functions = await listFunctions(tx);
        const partitions = names.flatMap((name) =>
          Array.from({ length: options.parts }, (_, part) => `${name}_${part}`),
        );
        await tx.exec(`set local check_function_bodies = off;
        drop table ${live.join(', ')} cascade;
        ${[...names, ...partitions].map((name) => `alter table ${NEXT}.${name} set schema provenance;`).join('\n')}
        ${partitions.map((name) => `alter table provenance.${name} reset (autovacuum_enabled, toast.autovacuum_enabled);`).join('\n')}
        drop schema ${NEXT} cascade`);
        // The drop also removed the functions that take or return rows of the tables.
        const left = new Set((await listFunctions(tx)).map(({ id }) => id));
        for (const { id, sql } of functions) if (!left.has(id)) await tx.exec(sql);
      })
      .finally(() => {
        if (lockedAt !== undefined) pausedMs += performance.now() - lockedAt;
      });
  });
  return pausedMs;
}

function listFunctions(tx: Tx): Promise<{ id: string; sql: string }[]> {
  return tx.query(
    `select oid::text as id, pg_get_functiondef(oid) as sql from pg_proc
     where pronamespace = 'provenance'::regnamespace and prokind in ('f', 'p')`,
  );
}

export async function assertUnchanged(tx: Tx, tables: readonly LargeTable[], runId: string): Promise<void> {
  const copy = await readCopy(tx);
  if (copy?.command === undefined || copy.runId !== runId)
    throw new NotPartitionableError(
      'Another run of `colophon db partition` or `distribute` replaced the copy.',
    );
  const describe = ({ name, shape }: LargeTable) => `${name}\n${shape}`;
  const names = tables.map(({ name }) => name);
  const now = await readTables(tx, names, ['r', 'p']);
  if (now.map(describe).join('\n') !== tables.map(describe).join('\n'))
    throw new NotPartitionableError('A migration changed the tables meanwhile. Run the command again.');
}
