import type { OpenInvitation, Role } from '@colophon/model';
import type { Queryable, Tx } from '../../platform/db/database.js';

const MAX_LISTED = 1_000;

/** The invitation works only while its creator may still invite with this role. */
export interface InvitationRow {
  orgId: string;
  orgSlug: string;
  orgName: string;
  role: Role;
  madeBy: string;
}

/** Inserts an invitation, and deletes up to 200 expired ones. */
export async function insertInvitation(
  tx: Tx,
  invitation: { tokenDigest: Uint8Array; orgId: string; role: Role; madeBy: string; lifeHours: number },
): Promise<{ id: string; expiresAt: Date }> {
  await tx.query(
    `delete from control.invitation where token_digest in (
       select token_digest from control.invitation
       where expires_at < now() order by expires_at limit 200 for update skip locked)`,
  );
  const [row] = await tx.query<{ id: string; expiresAt: Date }>(
    `insert into control.invitation (token_digest, org_id, role, made_by, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(hours => $5)) returning id, expires_at as "expiresAt"`,
    [invitation.tokenDigest, invitation.orgId, invitation.role, invitation.madeBy, invitation.lifeHours],
  );
  if (row === undefined) throw new Error('An invitation was not stored');
  return row;
}

export async function countInvitations(tx: Tx, orgId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::int as count from control.invitation where org_id = $1 and expires_at > now()',
    [orgId],
  );
  return row?.count ?? 0;
}

/** Lists the 1,000 newest open invitations, newest first. */
export async function listInvitationRows(db: Queryable, orgId: string): Promise<OpenInvitation[]> {
  const rows = await db.query<
    Omit<OpenInvitation, 'createdAt' | 'expiresAt'> & { createdAt: Date; expiresAt: Date }
  >(
    `select id, role, made_by as "madeBy", created_at as "createdAt", expires_at as "expiresAt"
     from control.invitation where org_id = $1 and expires_at > now()
     order by created_at desc, id desc limit $2`,
    [orgId, MAX_LISTED],
  );
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
}

/** Returns undefined if the organisation has no such open invitation. */
export async function deleteInvitation(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<Pick<InvitationRow, 'role' | 'madeBy'> | undefined> {
  const [row] = await tx.query<Pick<InvitationRow, 'role' | 'madeBy'>>(
    `delete from control.invitation where org_id = $1 and id = $2 and expires_at > now()
     returning role, made_by as "madeBy"`,
    [orgId, id],
  );
  return row;
}

export async function deleteInvitations(
  tx: Tx,
  { orgId, role, madeBy }: Pick<InvitationRow, 'orgId' | 'role' | 'madeBy'>,
): Promise<void> {
  await tx.query('delete from control.invitation where org_id = $1 and role = $2 and made_by = $3', [
    orgId,
    role,
    madeBy,
  ]);
}

/** Returns undefined if the invitation does not exist or has expired, or if its organisation is deleted. */
export async function readInvitation(
  db: Queryable,
  tokenDigest: Uint8Array,
): Promise<Omit<InvitationRow, 'orgId'> | undefined> {
  const [row] = await db.query<Omit<InvitationRow, 'orgId'>>(
    `select o.slug as "orgSlug", o.name as "orgName", i.role, i.made_by as "madeBy"
     from control.invitation i join control.org o on o.id = i.org_id
     where i.token_digest = $1 and i.expires_at > now() and o.deleted_at is null`,
    [tokenDigest],
  );
  return row;
}

/** Only one of two concurrent callers gets the invitation. Undefined like `readInvitation`. */
export async function takeInvitation(tx: Tx, tokenDigest: Uint8Array): Promise<InvitationRow | undefined> {
  const [row] = await tx.query<InvitationRow>(
    `delete from control.invitation i using control.org o
     where i.token_digest = $1 and i.expires_at > now() and o.id = i.org_id and o.deleted_at is null
     returning i.org_id as "orgId", o.slug as "orgSlug", o.name as "orgName", i.role, i.made_by as "madeBy"`,
    [tokenDigest],
  );
  return row;
}
