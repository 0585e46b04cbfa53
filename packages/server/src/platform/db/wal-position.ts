import pg from 'pg';
import type { Queryable } from './database.js';

/** The position of a server's write-ahead log, with the ids that distinguish the server from others. */
export interface WalPosition {
  lsn: string;
  timeline: number;
  systemId: string;
  databaseId: number;
}

/**
 * The state of a server relative to a position: it has the position, is behind it, or is not a standby of that
 * primary.
 */
export type ReplicaStatus = 'there' | 'behind' | 'no standby' | 'of another timeline' | 'of another database';

/**
 * Reads the position of the primary. Every acknowledged commit lies before it: a commit is acknowledged when it is
 * flushed, or, with `synchronous_commit = off`, when it is inserted.
 */
export async function readPosition(primary: Queryable): Promise<WalPosition> {
  const [row] = await primary.query<WalPosition>(
    `select at.lsn::text as lsn, ('x' || left(pg_walfile_name(at.lsn), 8))::bit(32)::int as timeline,
       s.system_identifier::text as "systemId", d.oid::int as "databaseId"
     from (select case current_setting('synchronous_commit')
         when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn) at,
       pg_control_system() s, pg_database d where d.datname = current_database()`,
  );
  if (row === undefined) throw new Error('The database does not name itself');
  return row;
}

/** Returns SQL that compares a server with a position. It has no parameters, so it can go with other statements. */
export function toStandingSql({ lsn, timeline, systemId, databaseId }: WalPosition): string {
  const literal = (value: string | number) => pg.escapeLiteral(String(value));
  return `select case
      when not pg_is_in_recovery() then 'no standby'
      when s.system_identifier <> ${literal(systemId)}::bigint or d.oid <> ${literal(databaseId)}::oid
        then 'of another database'
      when c.timeline_id <> ${literal(timeline)}::int then 'of another timeline'
      when pg_last_wal_replay_lsn() >= ${literal(lsn)}::pg_lsn then 'there'
      else 'behind' end as standing
    from pg_control_system() s, pg_control_checkpoint() c, pg_database d where d.datname = current_database()`;
}

/**
 * Shares questions: a caller that arrives during one question gets the answer to the next, which is asked after its
 * arrival.
 */
export function shareQuestions<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<Answer> | undefined;
  const askNext = () => {
    next = undefined;
    const asked = ask();
    underWay = asked;
    return asked;
  };
  return () => {
    next ??= underWay.then(askNext, askNext);
    return next;
  };
}
