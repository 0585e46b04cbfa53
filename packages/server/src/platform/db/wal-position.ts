import pg from 'pg';
import type { Queryable } from './database.js';

/** A position in a write-ahead log, with the ids of its timeline, server and database. */
export interface WalPosition {
  lsn: string;
  timeline: number;
  systemId: string;
  databaseId: number;
}

/** `there`: the server has replayed the position. `behind`: not yet. Other values: it is no standby of the primary. */
export type ReplicaStatus = 'there' | 'behind' | 'no standby' | 'of another timeline' | 'of another database';

/**
 * Reads a position after all acknowledged commits. PostgreSQL acknowledges a commit after the flush of the log, or
 * after the insert if `synchronous_commit` is off.
 */
export async function readPosition(primary: Queryable): Promise<WalPosition> {
  const [row] = await primary.query<WalPosition>(
    `select at.lsn::text as lsn, ('x' || left(pg_walfile_name(at.lsn), 8))::bit(32)::int as timeline,
       s.system_identifier::text as "systemId", d.oid::int as "databaseId"
     from (select case current_setting('synchronous_commit')
         when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn) at,
       pg_control_system() s, pg_database d where d.datname = current_database()`,
  );
  if (row === undefined) throw new Error('The database returned no write-ahead log position');
  return row;
}

/** The SQL has no parameters, so that it can follow other SQL text. */
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

/** Combines calls of `ask`. Callers that arrive during a call share the next call, not the running one. */
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

/** Number of remembered positions. The oldest is almost `maxAgeMs` old, so a replica has probably replayed it. */
const POSITIONS = 4;

/** Positions of the primary that a replica must have replayed before a read. */
export interface Positions<Position> {
  ask(): Promise<Position>;
  /**
   * Later calls of `ask` get a position that was requested after this call. Call it when a client may have seen newer
   * data: a later read must not return older data.
   */
  forget(): void;
}

/**
 * `ask` resolves to the oldest position that was requested at most `maxAgeMs` ago, because a replica has probably
 * reached it. Meanwhile it requests new positions.
 */
export function rememberPositions<Position>(
  ask: () => Promise<Position>,
  maxAgeMs: number,
  now: () => number = () => performance.now(),
): Positions<Position> {
  if (maxAgeMs === 0) return { ask, forget() {} };
  let known: { position: Position; askedAtMs: number }[] = [];
  let lastAskedMs = Number.NEGATIVE_INFINITY;
  let renewing: Promise<Position> | undefined;
  const renew = () => {
    const askedAtMs = now();
    lastAskedMs = askedAtMs;
    const asked = ask()
      .then((position) => {
        if (renewing === asked) known.push({ position, askedAtMs });
        return position;
      })
      .finally(() => {
        if (renewing === asked) renewing = undefined;
      });
    renewing = asked;
    return asked;
  };
  const isDue = (ageMs: number) => now() - lastAskedMs >= ageMs;
  return {
    async ask() {
      known = known.filter(({ askedAtMs }) => now() - askedAtMs < maxAgeMs);
      const [oldest] = known;
      if (oldest === undefined) return renewing === undefined || isDue(maxAgeMs) ? renew() : renewing;
      // Ignores a failure of the new request: a later call requests a position again.
      if (isDue(maxAgeMs / POSITIONS)) void Promise.allSettled([renewing ?? renew()]);
      return oldest.position;
    },
    forget() {
      known = [];
      renewing = undefined;
    },
  };
}
