import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors.js';
import { type Database, DatabaseError, type Queryable } from './database.js';
import { openPostgres } from './postgres.js';

/** A replica cannot be promoted safely. The message says why, and what to do. */
export class NotPromotableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotPromotableError';
  }
}

/** The promoted server. `lsn`: the position in the write-ahead log from which it continues. */
export interface Promotion {
  lsn: string;
  timeline: number;
  /** False if the server had been promoted before. */
  isNew: boolean;
}

/** Time limit for the primary to answer. A primary that does not answer in this time counts as stopped. */
const ANSWER_MS = 5_000;
/** Time limit of the promotion, in seconds. */
const PROMOTE_SECONDS = 60;
const CATCH_UP_MS = 60_000;
const LOOK_MS = 100;

/**
 * Promotes a streaming replica: requires that no primary answers at `primaryUrl`, waits until the replica has replayed
 * all that it received, and returns when it accepts writes. The user of `replicaUrl` needs the right to execute
 * `pg_promote`. Rejects with NotPromotableError.
 */
export async function promoteReplica({
  primaryUrl,
  replicaUrl,
}: {
  primaryUrl: string;
  replicaUrl: string;
}): Promise<Promotion> {
  if (await isPrimaryThere(primaryUrl))
    throw new NotPromotableError(
      'The primary at DATABASE_URL still answers. Stop it first, so that no node can write to it, and keep it stopped.',
    );
  const replica = openPostgres(replicaUrl, {
    ...{ connections: 1, connectMs: ANSWER_MS, statementMs: (PROMOTE_SECONDS + 10) * 1000 },
    keepsSession: false,
  });
  try {
    return await promote(replica);
  } finally {
    await replica.close();
  }
}

async function promote(replica: Database): Promise<Promotion> {
  if (!(await isInRecovery(replica))) return { ...(await readPlace(replica)), isNew: false };
  await catchUp(replica);
  const [row] = await askToPromote(replica);
  if (row?.promoted !== true)
    throw new NotPromotableError(
      `The replica was not promoted within ${PROMOTE_SECONDS} s. Look into its log.`,
    );
  return { ...(await readPlace(replica)), isNew: true };
}

/** Whether a server that accepts writes answers at this address. An error of the server counts as an answer. */
async function isPrimaryThere(url: string): Promise<boolean> {
  const limits = { connections: 1, connectMs: ANSWER_MS, statementMs: ANSWER_MS };
  const primary = openPostgres(url, { ...limits, keepsSession: false });
  try {
    return !(await isInRecovery(primary));
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Unavailable') return false;
    return true;
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
        'The replica has not replayed all that it received within 60 s. Wait, and run the command again.',
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
