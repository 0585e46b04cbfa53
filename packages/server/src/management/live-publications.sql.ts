import { OWNER_OF_ORG } from '../control/project-owners.sql.js';
import { inTurnOf, type Queryable } from '../platform/db/database.js';

/** Owner of the database statements of the detector. All its callers share this owner, because they need no key. */
const DETECTOR = 'detector';

/** A content, and one of the projects that have it. */
export interface ContentOfProject {
  projectId: string;
  cid: string;
}

/** The publication that the detector shows for a content of a project. `owner`: the owner of the project's turns. */
export interface ShownPublication extends ContentOfProject {
  id: string;
  owner: string;
}

/**
 * SQL: reads the publication that the detector shows for a content in a project. If the condition permits several
 * contents or projects, reads only one publication: that of the first content and project in the order of the index.
 * The detector shows the earliest publication without an expiry, or else the one that expires last. So if the selected
 * publication has expired, the project has no live publication of the content. The index `publication_of_content` has
 * the same order, so the statement reads one entry.
 */
const firstOf = (condition: string) => `(
  select b.id, b.project_id, b.cid, b.created_at, b.expires_at from control.publication b
  where b.revoked_at is null and ${condition}
  order by b.cid, b.project_id, b.expires_at desc nulls first, b.created_at, b.id limit 1)`;

/** SQL: reads the publications of the contents $2 in the projects $1. */
const ofContents = (condition = 'true') => `
  select shown.*
  from (select distinct asked.* from unnest($1::uuid[], $2::text[]) asked(project_id, cid)) content,
    lateral ${firstOf(`b.cid = content.cid and b.project_id = content.project_id and ${condition}`)} shown`;

/**
 * SQL: reads up to $2 publications of the contents $1: one for each content of a project. Goes from each project to the
 * next in the index. The contents take turns: the statement reads the publication of the oldest project of each
 * content, then that of the next project of each, and so on. Index order is the order of age, because the id of a
 * project begins with its time.
 */
const OF_CIDS = `
  with recursive step(id, project_id, cid, created_at, expires_at) as (
    select null::text, '00000000-0000-0000-0000-000000000000'::uuid, content.cid, null::timestamptz, null::timestamptz
    from (select distinct unnest($1::text[]) as cid) content
    union all
    select next.* from step, lateral ${firstOf('b.cid = step.cid and b.project_id > step.project_id')} next)
  select * from step where step.id is not null limit $2`;

/**
 * SQL: lists the live publications of the query `publications`, in projects that permit the detector. A project must
 * permit it, because the detector shows the link, which gives access to the publication. The owners (`OWNER_OF_ORG`)
 * take turns: the list has the earliest publication of each owner, then the second of each, and so on. So an owner with
 * very many publications does not displace those of others. The earliest publication of all is first.
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

/**
 * Lists live publications of contents in all projects that permit the detector, in turns by owner. Lists one
 * publication for each content of a project. Considers only the first 1,000 such publications, beginning with those of
 * the oldest projects.
 */
export async function listPublicationsOfCids(
  db: Queryable,
  cids: readonly string[],
): Promise<ShownPublication[]> {
  return db.query<ShownPublication>(inTurns(OF_CIDS), inTurnOf(DETECTOR, [cids, MAX_PUBLISHERS]));
}

/**
 * Lists live publications of these contents, if their projects permit the detector, in turns by owner. Lists one
 * publication for each content of a project.
 */
export async function listLivePublications(
  db: Queryable,
  contents: readonly ContentOfProject[],
): Promise<ShownPublication[]> {
  return db.query<ShownPublication>(inTurns(ofContents()), inTurnOf(DETECTOR, toColumns(contents)));
}

/**
 * Lists up to `limit` of these contents, in turns by owner. A listed content has a live publication that shows titles
 * and withholds nothing, in a project that permits the detector. The service shows the manifests of listed contents
 * only, because the manifest of another content can contain data that its publication withholds. A publication with
 * hidden entities always withholds `details`, so it does not make a manifest public.
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
 * Lists projects that permit the detector and have a live publication. The owners take turns: the list has the oldest
 * such project of each owner, then the second of each, and so on. Considers only the oldest 10,000 such
 * projects. Reads one or two index entries for each project that permits the detector.
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
