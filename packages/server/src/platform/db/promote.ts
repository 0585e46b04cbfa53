import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors.js';
import { type Database, DatabaseError, type Queryable } from './database.js';
import { openPostgres } from './postgres.js';

export class NotPromotableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotPromotableError';
  }
}

/** `lsn`: the position in the write-ahead log from which the promoted server continues. */
export interface Promotion {
  lsn: string;
  timeline: number;
  /** False if the server had been promoted before. */
  isNew: boolean;
}

/** Time limit of the primary's answer. A primary that does not answer in this time may still run. */
const ANSWER_MS = 5_000;
/** Time limit of the promotion, in seconds. */
const PROMOTE_SECONDS = 60;
const CATCH_UP_MS = 60_000;
const LOOK_MS = 100;
/** Maximum delay of the messages that an idle primary regularly sends to the replica. */
const LATE_SECONDS = 5;

/**
 * Promotes a streaming replica. Rejects with NotPromotableError if a primary answers at one of `primaryUrls`, or sends
 * anything to the replica; `force` skips these two checks. The user of `replicaUrl` needs the right to execute
 * `pg_promote`.
 */
export async function promoteReplica({
  primaryUrls,
  replicaUrl,
  force = false,
}: {
  primaryUrls: readonly string[];
  replicaUrl: string;
  force?: boolean;
}): Promise<Promotion> {
  const answers = force ? [] : await Promise.all(primaryUrls.map(isPrimaryThere));
  if (answers.includes(true))
    throw new NotPromotableError(
      'The primary at DATABASE_URL or DATABASE_DIRECT_URL still answers. Stop it first, so that no node can write to it, and keep it stopped.',
    );
  const replica = openPostgres(replicaUrl, {
    ...{ connections: 1, connectMs: ANSWER_MS, statementMs: (PROMOTE_SECONDS + 10) * 1000 },
    keepsSession: false,
  });
  try {
    return await promote(replica, force);
  } finally {
    await replica.close();
  }
}

async function promote(replica: Database, force: boolean): Promise<Promotion> {
  if (!(await isInRecovery(replica))) return { ...(await readPlace(replica)), isNew: false };
  if (!force && (await isReceiving(replica)))
    throw new NotPromotableError(
      'The replica still receives messages from its primary, so the primary runs, even if DATABASE_URL leads to another server. Stop the primary first. ' +
        'If the primary has just lost its power or its network, wait for half of wal_receiver_timeout plus 5 s (35 s by default), then run the command again. If the primary runs but cannot write any more, add --force.',
    );
  await catchUp(replica);
  const [row] = await askToPromote(replica);
  if (row?.promoted !== true)
    throw new NotPromotableError(
      `The replica was not promoted within ${PROMOTE_SECONDS} s. See the log of the replica for the reason.`,
    );
  return { ...(await readPlace(replica)), isNew: true };
}

/**
 * An idle primary sends at least one message in half of `wal_receiver_timeout`, because the replica asks for it. With a
 * timeout of 0, or for a user without `pg_read_all_stats`, the primary counts as running while the receiving process
 * exists.
 */
async function isReceiving(replica: Queryable): Promise<boolean> {
  const rows = await replica.query(
    `select from pg_stat_wal_receiver, (select setting::int / 1000.0 as seconds from pg_settings
       where name = 'wal_receiver_timeout') as timeout
     where coalesce(status, 'streaming') = 'streaming' and (timeout.seconds = 0 or coalesce(
       last_msg_receipt_time > clock_timestamp() - make_interval(secs => timeout.seconds / 2 + ${LATE_SECONDS}), true))`,
  );
  return rows.length > 0;
}

/** Error codes for a lost connection, and for a server or a pooler that stops. */
const GONE = /^(?:08|57P0[12])/;

/** An error of the server counts as an answer, unless its code is in `GONE`. */
async function isPrimaryThere(url: string): Promise<boolean> {
  const limits = { connections: 1, connectMs: ANSWER_MS, statementMs: ANSWER_MS };
  const primary = openPostgres(url, { ...limits, keepsSession: false });
  try {
    return !(await isInRecovery(primary));
  } catch (error) {
    const refusal = error instanceof ServiceError && error.code === 'Unavailable' ? error.cause : error;
    return refusal instanceof DatabaseError && !GONE.test(refusal.sqlState);
  } finally {
    await primary.close();
  }
}

async function isInRecovery(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
  return row?.recovering === true;
}

async function catchUp(replica: Queryable): Promise<void> {
  const deadline = Date.now() + CATCH_UP_MS;
  for (;;) {
    const [row] = await replica.query<{ isThere: boolean; paused: boolean }>(
      `select coalesce(pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn(), true) as "isThere",
         pg_is_wal_replay_paused() as paused`,
    );
    if (row?.isThere) return;
    if (row?.paused) throw new NotPromotableError('The replay is paused: run select pg_wal_replay_resume().');
    if (Date.now() > deadline)
      throw new NotPromotableError(
        `After ${CATCH_UP_MS / 1000} s, the replica has not yet replayed everything that it received. Wait, and run the command again.`,
      );
    await sleep(LOOK_MS);
  }
}

async function askToPromote(replica: Queryable): Promise<{ promoted: boolean }[]> {
  try {
    return await replica.query(`select pg_promote(true, ${PROMOTE_SECONDS}) as promoted`);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.sqlState !== '42501') throw error;
    throw new NotPromotableError(
      'The user of DATABASE_REPLICA_URL may not promote. Run the command with the address of a superuser in ' +
        'DATABASE_REPLICA_URL, or run pg_ctl promote on the machine of the replica.',
    );
  }
}

async function readPlace(db: Queryable): Promise<Pick<Promotion, 'lsn' | 'timeline'>> {
  const [row] = await db.query<{ lsn: string; timeline: number; readOnly: string }>(
    `select at.lsn::text as lsn, ('x' || left(pg_walfile_name(at.lsn), 8))::bit(32)::int as timeline,
       current_setting('transaction_read_only') as "readOnly"
     from (select pg_current_wal_insert_lsn() as lsn) at`,
  );
  if (row === undefined || row.readOnly === 'on')
    throw new NotPromotableError(
      'The promoted server is read-only: set default_transaction_read_only to off there.',
    );
  return { lsn: row.lsn, timeline: row.timeline };
}
