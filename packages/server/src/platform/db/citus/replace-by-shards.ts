import type { Database, Queryable, Tx } from '../database.js';
import { type LargeTable, NEXT, NotPartitionableError } from '../partition/large-tables.js';
import { assertUnchanged } from '../partition/replace-tables.js';
import { LOCK_MS, toLockGently, whileLocking } from '../partition/while-locking.js';
import { toEnterSql } from '../schema-changes.js';
import { withGate } from './close-gate.js';
import { isDistributedAtLast } from './cluster-functions.js';
import type { DistributeRun } from './copy-to-shards.js';
import { ANSWER_MS, listSilentNodes } from './describe-cluster.js';
import { listChanged, repeatAllChanges, repeatChanges } from './repeat-changes.js';

/** When a round repeats at most this number of changes, the next step locks the tables. */
const FEW_CHANGES = 2_000;
/** Maximum number of rounds. */
const ROUNDS = 10;
/** Time in which a session must end. */
const END_MS = 3_000;

/** `guard`: the session that prevents other runs. `install`: a step in the transaction that replaces the tables. */
interface Replacement {
  guard: Tx;
  install: (tx: Tx) => Promise<void>;
}

/**
 * Sessions of the service that use the old tables end before the transaction commits. New sessions wait until it ends,
 * and then find the distributed tables. Returns the time for which the service waited, in ms.
 */
export async function replaceByShards(
  db: Database,
  tables: readonly LargeTable[],
  { guard, install, ...options }: DistributeRun & Replacement,
): Promise<number> {
  for (let round = 1; round <= ROUNDS; round++) {
    options.signal?.throwIfAborted();
    if ((await repeatAllChanges(db, tables)) <= FEW_CHANGES) break;
  }
  const live = tables.map(({ name }) => `provenance.${name}`);
  const guardPid = await readPid(guard);
  let lockedAt = performance.now();
  await whileLocking(options, () =>
    withGate(db, options, async (tx, gate) => {
      await assertAllAnswer(db);
      await tx.exec(`${toEnterSql('provenance')} ${toLockGently(live)} set local statement_timeout = ${LOCK_MS};
        set local citus.multi_shard_modify_mode = 'sequential'; set local citus.enable_unsafe_triggers = on`);
      lockedAt = performance.now();
      await tx.exec(`lock table ${live.join(', ')} in access exclusive mode`);
      const closedAt = await gate.close();
      await tx.exec('set local statement_timeout = 0; set local lock_timeout = 0');
      await assertUnchanged(tx, tables, options.runId);
      for (const table of await listChanged(tx, tables)) await repeatChanges(tx, table);
      await replaceAll(tx, tables, install);
      options.signal?.throwIfAborted();
      await endSessions(tx, closedAt, [guardPid, gate.watchPid, await readPid(tx)]);
    }),
  ).catch(async (error: unknown) => {
    // The commit can succeed although its session ended and this process got no response.
    if (!(await isDistributedAtLast(db))) throw error;
  });
  return performance.now() - lockedAt;
}

/** The next statements use the workers, and a frozen worker also delays a rollback. */
async function assertAllAnswer(db: Database): Promise<void> {
  const silent = await db.transaction(listSilentNodes);
  if (silent.length > 0)
    throw new NotPartitionableError(
      `These workers accepted no connection within ${ANSWER_MS} ms: ${silent.join(', ')}. Check PostgreSQL on them, and run the command again.`,
    );
}

async function replaceAll(
  tx: Tx,
  tables: readonly LargeTable[],
  install: Replacement['install'],
): Promise<void> {
  const names = tables.map(({ name }) => name);
  const dependents = await readTriggersAndReferences(tx, names);
  const steps = [
    `drop table ${names.map((name) => `provenance.${name}`).join(', ')} cascade`,
    ...names.map((name) => `alter table ${NEXT}.${name} set schema provenance`),
    `drop schema ${NEXT} cascade`,
  ];
  // Citus sends the whole text of a call of `exec` to the other nodes, so each call has only one statement.
  for (const step of steps) await tx.exec(step);
  // Citus sends a trigger with its function, so the coordinator must already have the version for clusters.
  await install(tx);
  for (const step of dependents) await tx.exec(step);
}

async function readTriggersAndReferences(tx: Tx, names: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ step: string }>(
    `select pg_get_triggerdef(g.oid) as step from pg_trigger g join pg_class c on c.oid = g.tgrelid
     where c.relnamespace = 'provenance'::regnamespace and c.relname = any ($1::text[])
       and not g.tgisinternal and g.tgparentid = 0 and g.tgfoid::regproc::text not like '${NEXT}.%'
     union all
     select format('alter table provenance.%I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where c.relnamespace = 'provenance'::regnamespace and c.relname = any ($1::text[])
       and k.contype = 'f' and k.conparentid = 0
     order by 1`,
    [names],
  );
  return rows.map(({ step }) => step);
}

async function readPid(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
  return row?.pid ?? 0;
}

/** Identifies a session. The `pid` is not enough, because a later session can get the `pid` of an ended one. */
const SESSION_KEY = `concat_ws(' ', pid, backend_start)`;
/** The sessions of other processes in this database that this user may end. */
const SESSIONS = `from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
  and pid <> all ($1::int[]) and application_name not like 'citus%' and pg_has_role(usesysid, 'usage')`;

/** Ends all sessions that can use the old tables. Later sessions wait at the gate. */
async function endSessions(tx: Tx, closedAt: string, own: readonly number[]): Promise<void> {
  const sessions = await tx.query<{ key: string }>(
    `select ${SESSION_KEY} as key ${SESSIONS} and backend_start <= $2::timestamptz`,
    [own, closedAt],
  );
  const keys = sessions.map(({ key }) => key);
  const ofKeys = `${SESSIONS} and ${SESSION_KEY} = any ($2::text[])`;
  await tx.query(`select pg_terminate_backend(pid) ${ofKeys}`, [own, keys]);
  await tx.query(`select pg_terminate_backend(pid, ${END_MS}) ${ofKeys}`, [own, keys]);
  await tx.query('select pg_stat_clear_snapshot()');
  const left = await tx.query<{ pid: number }>(`select pid ${ofKeys}`, [own, keys]);
  if (left.length > 0)
    throw new NotPartitionableError(
      `These sessions did not end within ${END_MS} ms: ${left.map(({ pid }) => pid).join(', ')}. End them (pg_stat_activity), and run the command again.`,
    );
}
