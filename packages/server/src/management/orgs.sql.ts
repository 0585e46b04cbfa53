import type { Org, Role } from '@colophon/model';
import { OWNER_OF_ORG } from '../control/project-owners.sql.js';
import type { Queryable, Tx } from '../platform/db/database.js';
import { inTurnOfUser } from './accounts.sql.js';
import type { CreatedCounts } from './assert-below-limit.js';

type OrgRow = Omit<Org, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date };

const ORG_COLUMNS = `o.id, o.name, o.slug, o.plan, m.role, o.created_at as "createdAt", o.updated_at as "updatedAt"`;
const OWNER_ID = `(
  select w.account_id from control.member w where w.org_id = found.id and w.role = 'owner'
  order by w.created_at, w.account_id limit 1) as "ownerId"`;

const MAX_LISTED = 1_000;
/** Includes memberships in deleted organisations. */
const MAX_MEMBERSHIPS = 5_000;

/** Lists the 1,000 newest organisations of a user, oldest first. Considers only the 5,000 newest memberships. */
export async function listOrgsOf(db: Queryable, accountId: string): Promise<Org[]> {
  const rows = await db.query<OrgRow>(
    `select found.*, ${OWNER_ID} from (
       select ${ORG_COLUMNS} from (
         select org_id, role from control.member where account_id = $1
         order by created_at desc, org_id desc limit $3
       ) m join control.org o on o.id = m.org_id
       where o.deleted_at is null order by o.created_at desc, o.id desc limit $2
     ) found order by found."createdAt", found.id`,
    inTurnOfUser(accountId, [accountId, MAX_LISTED, MAX_MEMBERSHIPS]),
  );
  return rows.map(toOrg);
}

/** Returns undefined for users who are not members. */
export async function readOrg(
  db: Queryable,
  { accountId, slug }: { accountId: string; slug: string },
): Promise<Org | undefined> {
  const parameters = inTurnOfUser(accountId, [accountId, slug]);
  const [row] = await db.query<OrgRow>(
    `select found.*, ${OWNER_ID} from (
       select ${ORG_COLUMNS} from control.org o join control.member m on m.org_id = o.id and m.account_id = $1
       where o.deleted_at is null and o.slug = $2
     ) found`,
    parameters,
  );
  return row === undefined ? undefined : toOrg(row);
}

export interface Membership {
  orgId: string;
  /** The owner of the organisation. Owners take turns (see `OWNER_OF_ORG`). */
  owner: string;
  role: Role;
  /** Null if the request names an organisation. */
  projectId: string | null;
}

export type MembershipOf = { accountId: string } & (
  | { orgSlug: string }
  | { projectId: string }
  | { keyId: string }
);

/** Returns undefined if the organisation or project is deleted, or the user is not a member. Accepts revoked keys. */
export async function readMembership(db: Queryable, of: MembershipOf): Promise<Membership | undefined> {
  const parameters = inTurnOfUser(of.accountId, [of.accountId, targetOf(of)]);
  const [row] = await db.query<Membership>(membershipQuery(of), parameters);
  return row;
}

/**
 * Locks the organisation, and then reads the membership again: the locking statement returns the membership from before
 * its wait for the lock.
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
    select o.id as "orgId", ${OWNER_OF_ORG} as owner, m.role, ${project ? 'p.id' : 'null'} as "projectId"
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

/** Marks an organisation and its projects as deleted; their records stay. Returns the ids of the projects. */
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
