import type { Database, Tx } from '../database.js';
import { NotPartitionableError } from '../partition/large-tables.js';
import { DISTRIBUTION_GATE } from './cluster-functions.js';
import { ANSWER_MS, listSilentNodes } from './describe-cluster.js';

/** Maximum time for which the gate is closed. It is shorter than the 10 s for which a node waits for a new session. */
const GATE_MS = 7_000;
/** Time between two attempts to cancel a late transaction. If its connection was lost, the first attempt can fail. */
const REPEAT_MS = 200;
/** Time in which a cancelled transaction usually ends. */
const END_MS = 3_000;

/** The gate of a transaction. New sessions of the service wait while it is closed. */
export interface Gate {
  /** Closes the gate until the transaction ends. Returns the time of the closing, by the clock of the database. */
  close(): Promise<string>;
  /** Process id of the session that cancels the transaction after `gateMs`. The caller must not end this session. */
  watchPid: number;
}

export interface GateOptions {
  /** Maximum time for which the gate is closed; `GATE_MS` by default. */
  gateMs?: number | undefined;
  /** Called when the command waits for an action of the operator. `warning`: the reason, and this action. */
  report?: ((warning: string) => void) | undefined;
}

/**
 * Runs a transaction that can close the gate. The gate opens when the transaction ends. After `gateMs`, another session
 * cancels the transaction, and this function throws NotPartitionableError. The database measures this time, so the
 * limit also holds while this process is stopped. While PostgreSQL of a worker is frozen, the gate stays closed, and
 * `report` gets the name of the worker. `db` needs three connections.
 */
export function withGate<T>(
  db: Database,
  { gateMs = GATE_MS, report = () => {} }: GateOptions,
  run: (tx: Tx, gate: Gate) => Promise<T>,
): Promise<T> {
  return db.transaction(async (watch) => {
    await watch.exec('set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0');
    const [session] = await watch.query<{ pid: number }>('select pg_backend_pid() as pid');
    let cancelled: Promise<boolean> | undefined;
    let stuck: NodeJS.Timeout | undefined;
    let hasEnded = false;
    const reportOpen = (warning: string) => {
      if (!hasEnded) report(warning);
    };
    const close = async (tx: Tx) => {
      await tx.query(`select pg_advisory_xact_lock(${DISTRIBUTION_GATE})`);
      cancelled = cancelLate(watch, gateMs);
      cancelled.catch(() => {});
      stuck = setTimeout(() => void reportStuck(db, reportOpen), gateMs + END_MS);
      const [row] = await tx.query<{ time: string }>('select clock_timestamp()::text as time');
      return row?.time ?? '';
    };
    try {
      return await db.transaction((tx) => run(tx, { close: () => close(tx), watchPid: session?.pid ?? 0 }));
    } catch (error) {
      if ((await cancelled?.catch(() => false)) !== true) throw error;
      throw new NotPartitionableError(
        `The replacement of the tables took longer than ${gateMs} ms, so it was cancelled, and the service continues. Check that each worker answers (select * from run_command_on_workers('select 1')), and run the command again. A cluster with fewer shards (citus.shard_count) needs less time.`,
        { cause: error },
      );
    } finally {
      hasEnded = true;
      clearTimeout(stuck);
    }
  });
}

async function reportStuck(db: Database, report: (warning: string) => void): Promise<void> {
  try {
    const [gate] = await db.query<{ isOpen: boolean }>(
      `select pg_try_advisory_xact_lock_shared(${DISTRIBUTION_GATE}) as "isOpen"`,
    );
    if (gate?.isOpen !== true) report(toWarning(await db.transaction(listSilentNodes)));
  } catch (error) {
    report(`${STUCK} The check of the workers failed: ${error instanceof Error ? error.message : error}`);
  }
}

const STUCK =
  'The database cancelled the replacement of the tables, but its transaction does not end. Requests wait for it.';

const toWarning = (silent: readonly string[]) =>
  silent.length === 0
    ? `${STUCK} All workers accept connections. Look for long transactions in pg_stat_activity of each worker.`
    : `${STUCK} These workers accepted no connection within ${ANSWER_MS} ms: ${silent.join(', ')}. End all processes of PostgreSQL on these workers with kill -9. Or run \`ss -K dst <address> dport = <port>\` as root on the coordinator, for each of these workers. The tables then stay unchanged, and requests continue.`;

/**
 * Cancels the transaction after `gateMs`. Returns whether it was late. The wait and the cancellation are one statement,
 * so PostgreSQL continues them even without this process.
 */
async function cancelLate(watch: Tx, gateMs: number): Promise<boolean> {
  await watch.exec(`do $watch$
    declare
      late boolean := false;
    begin
      loop
        begin
          perform set_config('lock_timeout', case when late then '${REPEAT_MS}' else '${gateMs}' end, true);
          perform pg_advisory_xact_lock_shared(${DISTRIBUTION_GATE});
          exit;
        exception when lock_not_available then
          late := true;
          perform pg_stat_clear_snapshot();
          perform case when a.state = 'active' then pg_cancel_backend(a.pid) else pg_terminate_backend(a.pid) end
          from pg_locks l join pg_stat_activity a using (pid)
          where l.locktype = 'advisory' and l.objid = ${DISTRIBUTION_GATE} and l.mode = 'ExclusiveLock' and l.granted
            and l.database = (select oid from pg_database where datname = current_database());
        end;
      end loop;
      perform set_config('colophon.late', late::text, true);
    end $watch$`);
  const [row] = await watch.query<{ late: string }>(`select current_setting('colophon.late') as late`);
  return row?.late === 'true';
}
