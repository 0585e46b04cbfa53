import { OWNER_OF_ORG } from '../control/project-owners.sql.js';
import { inTurnOf, type Queryable } from '../platform/db/database.js';

/** All callers of the detector share these turns, because they need no key. */
const DETECTOR = 'detector';

/** A content, and one of the projects that have it. */
export interface ContentOfProject {
  projectId: string;
  cid: string;
}

/** `owner`: the owner of the project. Owners take turns (see `OWNER_OF_ORG`). */
export interface ShownPublication extends ContentOfProject {
  id: string;
  owner: string;
}

/**
 * SQL: the publication that the detector shows for a content of a project: the earliest one without an expiry, or else
 * the one that expires last. The index `publication_of_content` has the same order, so the statement reads one entry.
 */
const firstOf = (condition: string) => `(
  select b.id, b.project_id, b.cid, b.created_at, b.expires_at from control.publication b
  where b.revoked_at is null and ${condition}
  order by b.cid, b.project_id, b.expires_at desc nulls first, b.created_at, b.id limit 1)`;

/** SQL: the publications of the contents $2 in the projects $1. */
const ofContents = (condition = 'true') => `
  select shown.*
  from (select distinct asked.* from unnest($1::uuid[], $2::text[]) asked(project_id, cid)) content,
    lateral ${firstOf(`b.cid = content.cid and b.project_id = content.project_id and ${condition}`)} shown`;

/**
 * SQL: up to $2 publications of the contents $1, one for each content of a project, oldest projects first. Index order
 * is the order of age, because the id of a project begins with its time.
 */
const OF_CIDS = `
  with recursive step(id, project_id, cid, created_at, expires_at) as (
    select null::text, '00000000-0000-0000-0000-000000000000'::uuid, content.cid, null::timestamptz, null::timestamptz
    from (select distinct unnest($1::text[]) as cid) content
    union all
    select next.* from step, lateral ${firstOf('b.cid = step.cid and b.project_id > step.project_id')} next)
  select * from step where step.id is not null limit $2`;

/**
 * SQL: live publications, in projects that permit the detector: it shows the link, which gives access to the
 * publication. The owners take turns, so an owner with very many publications does not displace those of others.
 */
const inTurns = (publications: string) => `
  select ranked.id, ranked.project_id as "projectId", ranked.cid, ranked.owner from (
    select shown.*, ${OWNER_OF_ORG} as owner,
      row_number() over (partition by ${OWNER_OF_ORG} order by shown.created_at, shown.id) as place
    from (${publications}) shown join control.project p on p.id = shown.project_id
      join control.org o on o.id = p.org_id
    where p.public_detector and p.deleted_at is null and (shown.expires_at is null or shown.expires_at > now())) ranked
  order by ranked.place, ranked.created_at, ranked.id`;

/** Maximum number of publications from which `listPublicationsOfCids` chooses, for all contents together. */
const MAX_PUBLISHERS = 1_000;

/** Lists one live publication for each content of a project, in turns by owner, from the oldest projects. */
export async function listPublicationsOfCids(
  db: Queryable,
  cids: readonly string[],
): Promise<ShownPublication[]> {
  return db.query<ShownPublication>(inTurns(OF_CIDS), inTurnOf(DETECTOR, [cids, MAX_PUBLISHERS]));
}

/** Lists one live publication for each content of a project, in turns by owner. */
export async function listLivePublications(
  db: Queryable,
  contents: readonly ContentOfProject[],
): Promise<ShownPublication[]> {
  return db.query<ShownPublication>(inTurns(ofContents()), inTurnOf(DETECTOR, toColumns(contents)));
}

/**
 * Lists contents with a live publication that shows titles and withholds nothing. The service shows only their
 * manifests, because another manifest can contain withheld data. A publication with hidden entities always withholds
 * `details`.
 */
export async function listOpenContents(
  db: Queryable,
  contents: readonly ContentOfProject[],
  limit: number,
): Promise<ShownPublication[]> {
  return db.query<ShownPublication>(
    `${inTurns(ofContents(`b.titles and b.withhold = '[]'::jsonb`))} limit $3`,
    inTurnOf(DETECTOR, [...toColumns(contents), limit]),
  );
}

function toColumns(contents: readonly ContentOfProject[]): string[][] {
  return [contents.map(({ projectId }) => projectId), contents.map(({ cid }) => cid)];
}

/** Maximum number of projects from which `listPublishingProjects` chooses. */
const MAX_CONSIDERED = 10_000;

/**
 * Lists projects that permit the detector and have a live publication. The owners take turns: first the oldest such
 * project of each owner, then the second of each, and so on.
 */
export async function listPublishingProjects(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select ranked.id from (
       select open.id, open.created_at,
         row_number() over (partition by ${OWNER_OF_ORG} order by open.created_at, open.id) as place
       from (
         select p.id, p.org_id, p.created_at from control.project p
         where p.public_detector and p.deleted_at is null and (
           exists (select 1 from control.publication b
             where b.project_id = p.id and b.revoked_at is null and b.expires_at is null)
           or exists (select 1 from control.publication b
             where b.project_id = p.id and b.revoked_at is null and b.expires_at > now()))
         order by p.created_at, p.id limit $2) open join control.org o on o.id = open.org_id) ranked
     order by ranked.place, ranked.created_at, ranked.id limit $1`,
    inTurnOf(DETECTOR, [limit, MAX_CONSIDERED]),
  );
  return rows.map(({ id }) => id);
}
