import type { Queryable, Tx } from '../../platform/db/database.js';

export interface SessionRow {
  userId: string;
  way: string;
  expiresAt: Date;
}

/** Maximum number of expired sessions that one sign-in deletes, so that no user waits for a large clean-up. */
const MAX_DELETED = 200;

/**
 * Inserts a session, and deletes up to `MAX_DELETED` expired sessions. Skips those that a concurrent sign-in deletes.
 */
export async function insertSession(
  tx: Tx,
  session: { tokenDigest: Uint8Array; userId: string; way: string; lifeHours: number },
): Promise<Date> {
  await tx.query(
    `delete from control.session where token_digest = any(array(
       select token_digest from control.session where expires_at < now()
       order by expires_at limit $1 for update skip locked))`,
    [MAX_DELETED],
  );
  const [row] = await tx.query<{ expiresAt: Date }>(
    `insert into control.session (token_digest, account_id, way, expires_at)
     values ($1, $2, $3, now() + make_interval(hours => $4)) returning expires_at as "expiresAt"`,
    [session.tokenDigest, session.userId, session.way, session.lifeHours],
  );
  if (row === undefined) throw new Error('A session was not stored');
  return row.expiresAt;
}

/**
 * Returns undefined if the session has expired, was idle for `idleHours`, or began with a method that is not in `ways`.
 */
export async function readSessionRow(
  db: Queryable,
  { tokenDigest, ways, idleHours }: { tokenDigest: Uint8Array; ways: readonly string[]; idleHours: number },
): Promise<SessionRow | undefined> {
  const [row] = await db.query<SessionRow & { isStale: boolean }>(
    `select account_id as "userId", way, expires_at as "expiresAt",
       seen_at < now() - interval '1 minute' as "isStale"
     from control.session
     where token_digest = $1 and way = any($2::text[]) and expires_at > now()
       and seen_at > now() - make_interval(hours => $3)`,
    [tokenDigest, ways, idleHours],
  );
  if (row?.isStale)
    await db.query('update control.session set seen_at = now() where token_digest = $1', [tokenDigest]);
  return row && { userId: row.userId, way: row.way, expiresAt: row.expiresAt };
}

export async function deleteSession(tx: Tx, tokenDigest: Uint8Array): Promise<void> {
  await tx.query('delete from control.session where token_digest = $1', [tokenDigest]);
}

export async function deleteOtherSessions(tx: Tx, userId: string, kept: Uint8Array): Promise<void> {
  await tx.query('delete from control.session where account_id = $1 and token_digest <> $2', [userId, kept]);
}
