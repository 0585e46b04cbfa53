import type { Queryable } from '../platform/db/database.js';
import { CREATOR_OF_ORG, LOCAL_ORG } from './api-keys.sql.js';

/**
 * SQL: the owner of the organisation `o`. Owners take turns at shared work. A user with several organisations is one
 * owner. If no user is known, the owner is the organisation itself.
 */
export const OWNER_OF_ORG = `coalesce(${CREATOR_OF_ORG}, 'org ' || o.id)`;

const MAX_LISTED = 10_000;

/** Returns the owner of each given project, even if it is deleted, and then the other live projects of these owners. */
export async function listProjectsOfOwners(
  db: Queryable,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; owner: string }>(
    `with given as (
       select distinct o.id, o.created_by from control.project p join control.org o on o.id = p.org_id
       where p.id = any($1::uuid[])),
     owned as (
       select id from given union select o.id from given join control.org o on o.created_by = given.created_by
         and o.created_by <> '${LOCAL_ORG.ownerId}')
     select p.id, ${OWNER_OF_ORG} as owner
     from owned join control.org o on o.id = owned.id join control.project p on p.org_id = o.id
     where p.deleted_at is null or p.id = any($1::uuid[])
     order by p.id = any($1::uuid[]) desc limit $2`,
    [projectIds, MAX_LISTED],
  );
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}

/** Returns undefined if the project does not exist. */
export async function readProjectOwner(db: Queryable, projectId: string): Promise<string | undefined> {
  const [row] = await db.query<{ owner: string }>(
    `select ${OWNER_OF_ORG} as owner from control.project p join control.org o on o.id = p.org_id
     where p.id = $1::uuid`,
    [projectId],
  );
  return row?.owner;
}
