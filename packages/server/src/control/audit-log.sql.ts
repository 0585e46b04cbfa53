import type { AuditEntry } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import type { Queryable, Tx } from '../platform/db/database.js';

/** The database adds the time. */
export type AuditLogDraft = Omit<AuditEntry, 'id' | 'at'> & { orgId: string | null };

/** Call this function in the transaction of the change. */
export async function insertAuditLogEntry(tx: Tx, entry: AuditLogDraft): Promise<void> {
  await tx.query(
    `insert into control.audit_entry
       (id, org_id, project_id, account_id, action, target, details, address, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      uuidv7(),
      entry.orgId,
      entry.projectId,
      entry.userId,
      entry.action,
      entry.target,
      JSON.stringify(entry.details),
      entry.address,
      entry.requestId,
    ],
  );
}

const MAX_SIGN_INS = 100;

/** Lists the addresses of the user's newest 100 sign-ins in the last 30 days. */
export async function listSignInAddresses(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db.query<{ address: string }>(
    `select distinct address from (
       select address from control.audit_entry
       where account_id = $1 and action in ('account.create', 'session.begin') and at > now() - interval '30 days'
       order by at desc limit $2) newest
     where address is not null`,
    [userId, MAX_SIGN_INS],
  );
  return rows.map(({ address }) => address);
}

/** Newest first. With `before`, lists only the entries before this id. */
export async function listAuditLogRows(
  db: Queryable,
  { orgId, before, limit }: { orgId: string; before: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  const rows = await db.query<Omit<AuditEntry, 'at'> & { at: Date }>(
    `select id, at, account_id as "userId", action, project_id as "projectId", target, details, address,
       request_id as "requestId"
     from control.audit_entry
     where org_id = $1 and id < $2
     order by id desc limit $3`,
    [orgId, before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff', limit],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
