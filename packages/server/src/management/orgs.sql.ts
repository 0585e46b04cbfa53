import type { Org, Role } from '@colophon/model';
import type { Queryable, Tx } from '../platform/db/database.js';
import type { CreatedCounts } from './assert-below-limit.js';

type OrgRow = Omit<Org, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date };

const SELECT_ORG = `
  select o.id, o.name, o.slug, o.plan, m.role, o.created_at as "createdAt", o.updated_at as "updatedAt",
    (select w.account_id from control.member w where w.org_id = o.id and w.role = 'owner'
     order by w.created_at, w.account_id limit 1) as "ownerId"
  from control.org o join control.member m on m.org_id = o.id and m.account_id = $1
  where o.deleted_at is null`;

const MAX_LISTED = 1_000;

/** Lists the 1,000 newest organisations of a user, oldest first. */
export async function listOrgsOf(db: Queryable, accountId: string): Promise<Org[]> {
  const rows = await db.query<OrgRow>(`${SELECT_ORG} order by o.created_at desc, o.id desc limit $2`, [
    accountId,
    MAX_LISTED,
  ]);
  return rows.map(toOrg).reverse();
}

/** Reads an organisation for one of its members; undefined for other users. */
export async function readOrg(
  db: Queryable,
  { accountId, slug }: { accountId: string; slug: string },
): Promise<Org | undefined> {
  const [row] = await db.query<OrgRow>(`${SELECT_ORG} and o.slug = $2`, [accountId, slug]);
  return row === undefined ? undefined : toOrg(row);
}

export interface Membership {
  orgId: string;
  role: Role;
  /** The project of the request. Null if the request names an organisation. */
  projectId: string | null;
}

export type MembershipOf = { accountId: string } & (
  | { orgSlug: string }
  | { projectId: string }
  | { keyId: string }
);

/**
 * Reads the membership of a user in an organisation. `of` names the organisation by its slug, by a project, or by a key
 * of a project (even a revoked or expired key). Undefined when the organisation or the project is deleted, or the user
 * is not a member.
 */
export async function readMembership(db: Queryable, of: MembershipOf): Promise<Membership | undefined> {
  const [row] = await db.query<Membership>(membershipQuery(of), [of.accountId, targetOf(of)]);
  return row;
}

/**
 * Reads the membership and locks the organisation until the transaction ends. Reads the membership again after the
 * lock, because the locking statement returns the membership as it was before the wait.
 */
export async function lockMembership(tx: Tx, of: MembershipOf): Promise<Membership | undefined> {
  const locked = await tx.query(`${membershipQuery(of)} for update of o`, [of.accountId, targetOf(of)]);
  return locked.length === 0 ? undefined : readMembership(tx, of);
}

function targetOf(of: MembershipOf): string {
  if ('orgSlug' in of) return of.orgSlug;
  return 'projectId' in of ? of.projectId : of.keyId;
}

function membershipQuery(of: MembershipOf): string {
  const project = 'projectId' in of || 'keyId' in of;
  return `
    select o.id as "orgId", m.role, ${project ? 'p.id' : 'null'} as "projectId"
    from control.org o
    join control.member m on m.org_id = o.id and m.account_id = $1
    ${project ? 'join control.project p on p.org_id = o.id and p.deleted_at is null' : ''}
    ${'keyId' in of ? 'join control.api_key k on k.project_id = p.id' : ''}
    where o.deleted_at is null and ${'orgSlug' in of ? 'o.slug' : 'keyId' in of ? 'k.id' : 'p.id'} = $2`;
}

export async function insertOrg(
  tx: Tx,
  org: { id: string; slug: string; name: string; createdBy: string },
): Promise<void> {
  await tx.query('insert into control.org (id, slug, name, created_by) values ($1, $2, $3, $4)', [
    org.id,
    org.slug,
    org.name,
    org.createdBy,
  ]);
}

/** Counts the organisations that the user created. */
export async function countCreatedOrgs(tx: Tx, userId: string): Promise<CreatedCounts> {
  const [row] = await tx.query<CreatedCounts>(
    `select (select count(*) from control.org where created_by = $1 and deleted_at is null)::int as live,
       (select count(*) from control.org
        where created_by = $1 and created_at > now() - interval '24 hours')::int as recent`,
    [userId],
  );
  return row ?? { live: 0, recent: 0 };
}

export async function renameOrg(tx: Tx, orgId: string, name: string): Promise<void> {
  await tx.query('update control.org set name = $2, updated_at = now() where id = $1', [orgId, name]);
}

/** Marks an organisation and its projects as deleted; their records stay. Returns the ids of these projects. */
export async function deleteOrgRow(tx: Tx, orgId: string): Promise<string[]> {
  await tx.query('update control.org set deleted_at = now() where id = $1', [orgId]);
  const rows = await tx.query<{ id: string }>(
    'update control.project set deleted_at = now() where org_id = $1 and deleted_at is null returning id',
    [orgId],
  );
  return rows.map(({ id }) => id);
}

function toOrg(row: OrgRow): Org {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}
