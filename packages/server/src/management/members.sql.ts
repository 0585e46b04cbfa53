import type { Member, ProjectLimits, Role } from '@colophon/model';
import { CREATOR_OF_ORG } from '../control/api-keys.sql.js';
import { LIMIT_COLUMNS, withLimits } from '../control/project-limits.sql.js';
import type { Queryable, Tx } from '../platform/db/database.js';
import { inTurnOfUser } from './accounts.sql.js';

type MemberRow = Omit<Member, 'createdAt'> & { createdAt: Date };

/** The role of a member, and the facts about a project that its requests need. */
interface MemberAccess {
  role: Role;
  owner: string | null;
  aiTrainingOptOut: boolean;
}

const MAX_LISTED = 1_000;

/** Lists the 1,000 members who joined last, earliest first. */
export async function listMemberRows(db: Queryable, orgId: string): Promise<Member[]> {
  const rows = await db.query<MemberRow>(
    `${SELECT_MEMBER} order by m.created_at desc, m.account_id desc limit $2`,
    [orgId, MAX_LISTED],
  );
  return rows.map(toMember).reverse();
}

export async function readMember(db: Queryable, orgId: string, userId: string): Promise<Member | undefined> {
  const [row] = await db.query<MemberRow>(`${SELECT_MEMBER} and m.account_id = $2`, [orgId, userId]);
  return row === undefined ? undefined : toMember(row);
}

/**
 * Returns undefined if the project or organisation is deleted, or the user is not a member. Takes a turn of the user,
 * because the user may have no access to the project.
 */
export async function readMemberAccess(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<(MemberAccess & { limits?: ProjectLimits }) | undefined> {
  const [row] = await db.query<MemberAccess & ProjectLimits>(
    `select m.role, ${CREATOR_OF_ORG} as owner, p.ai_training_opt_out as "aiTrainingOptOut", ${LIMIT_COLUMNS}
     from control.project p
     join control.org o on o.id = p.org_id and o.deleted_at is null
     join control.member m on m.org_id = o.id and m.account_id = $2
     where p.id = $1 and p.deleted_at is null`,
    inTurnOfUser(userId, [projectId, userId]),
  );
  return row && withLimits(row);
}

/** Returns false when the user is already a member. */
export async function insertMember(
  tx: Tx,
  member: { orgId: string; userId: string; role: Role },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into control.member (org_id, account_id, role) values ($1, $2, $3)
     on conflict do nothing returning role`,
    [member.orgId, member.userId, member.role],
  );
  return rows.length === 1;
}

export async function updateMemberRole(
  tx: Tx,
  member: { orgId: string; userId: string; role: Role },
): Promise<void> {
  await tx.query('update control.member set role = $3 where org_id = $1 and account_id = $2', [
    member.orgId,
    member.userId,
    member.role,
  ]);
}

export async function deleteMember(tx: Tx, orgId: string, userId: string): Promise<void> {
  await tx.query('delete from control.member where org_id = $1 and account_id = $2', [orgId, userId]);
}

/** Returns at most `limit`. */
export async function countMembers(tx: Tx, orgId: string, limit: number): Promise<number> {
  const [row] = await tx.query<{ members: number }>(
    'select count(*)::int as members from (select from control.member where org_id = $1 limit $2) counted',
    [orgId, limit],
  );
  return row?.members ?? 0;
}

export async function countOwners(tx: Tx, orgId: string): Promise<number> {
  const [row] = await tx.query<{ owners: number }>(
    "select count(*)::int as owners from control.member where org_id = $1 and role = 'owner'",
    [orgId],
  );
  return row?.owners ?? 0;
}

/** Reads the owner with the longest membership. */
export async function readFirstOwner(db: Queryable, orgId: string): Promise<string> {
  const [row] = await db.query<{ userId: string }>(
    `select account_id as "userId" from control.member where org_id = $1 and role = 'owner'
     order by created_at, account_id limit 1`,
    [orgId],
  );
  if (row === undefined) throw new Error('An organisation has no owner');
  return row.userId;
}

const SELECT_MEMBER = `
  select m.account_id as "userId", m.role, a.name, a.email, a.avatar, m.created_at as "createdAt"
  from control.member m join control.account a on a.id = m.account_id
  where m.org_id = $1`;

function toMember(row: MemberRow): Member {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
