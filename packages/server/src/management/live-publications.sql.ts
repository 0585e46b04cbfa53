import { inTurnOf, type Queryable } from '../platform/db/database.js';
import { IS_LIVE, PUBLICATION_COLUMNS, type PublicationRow } from './publications.sql.js';

/** The owner of the turns of the detector, whose callers need no key. */
const DETECTOR = 'detector';

/**
 * SQL: whether the detector may show the publication `b`. The project must permit this, because the detector shows the
 * link, which gives access to the publication.
 */
const IS_DETECTABLE = `${IS_LIVE} and p.public_detector`;

/** A publication, and the organisation that owns its project. */
export interface LivePublicationRow extends PublicationRow {
  orgId: string;
}

/**
 * Lists live publications of these contents in projects that permit the detector. For each content of a project, lists
 * only the earliest publication. The organisations take turns: the list has the earliest publication of each
 * organisation, then the second of each, and so on. So an organisation with very many publications does not displace
 * those of others. The earliest publication of all is first.
 */
export async function listLivePublications(
  db: Queryable,
  { cids, limit }: { cids: readonly string[]; limit: number },
): Promise<LivePublicationRow[]> {
  return db.query<LivePublicationRow>(
    `select earliest.* from (
       select distinct on (b.project_id, b.cid) ${PUBLICATION_COLUMNS}, p.org_id as "orgId"
       from control.publication b join control.project p on p.id = b.project_id
       where b.cid = any($1::text[]) and ${IS_DETECTABLE}
       order by b.project_id, b.cid, b.created_at, b.id) earliest
     order by
       row_number() over (partition by earliest."orgId" order by earliest."createdAt", earliest.id),
       earliest."createdAt", earliest.id
     limit $2`,
    inTurnOf(DETECTOR, [cids, limit]),
  );
}

/** Maximum number of projects from which `listPublishingProjects` chooses. */
const MAX_CONSIDERED = 10_000;

/**
 * Lists projects that permit the detector and have a live publication. The organisations take turns: the list has the
 * oldest such project of each organisation, then the second of each, and so on. Considers only the oldest 10,000 such
 * projects. Reads one or two index entries for each project that permits the detector.
 */
export async function listPublishingProjects(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select ranked.id from (
       select considered.id, considered.created_at, row_number() over (
         partition by considered.org_id order by considered.created_at, considered.id) as place
       from (
         select p.id, p.org_id, p.created_at from control.project p
         where p.public_detector and p.deleted_at is null and (
           exists (select 1 from control.publication b
             where b.project_id = p.id and b.revoked_at is null and b.expires_at is null)
           or exists (select 1 from control.publication b
             where b.project_id = p.id and b.revoked_at is null and b.expires_at > now()))
         order by p.created_at, p.id limit $2) considered) ranked
     order by ranked.place, ranked.created_at, ranked.id limit $1`,
    inTurnOf(DETECTOR, [limit, MAX_CONSIDERED]),
  );
  return rows.map(({ id }) => id);
}

/**
 * Lists the contents that have a live publication without withheld parts, in projects that permit the detector. The
 * organisations take turns, as in `listLivePublications`. The content with the earliest publication is first. Only the
 * manifests of these contents are public, because a manifest can contain any withheld part. A publication with hidden
 * entities always withholds `details`, so it does not make a manifest public.
 */
export async function listOpenContents(
  db: Queryable,
  { cids, limit }: { cids: readonly string[]; limit: number },
): Promise<{ projectId: string; cid: string }[]> {
  return db.query<{ projectId: string; cid: string }>(
    `select ranked.project_id as "projectId", ranked.cid from (
       select b.project_id, b.cid, min(b.created_at) as published_at, row_number() over (
         partition by p.org_id order by min(b.created_at), b.project_id, b.cid) as place
       from control.publication b join control.project p on p.id = b.project_id
       where b.cid = any($1::text[]) and ${IS_DETECTABLE} and b.withhold = '[]'::jsonb and b.titles
       group by p.org_id, b.project_id, b.cid) ranked
     order by ranked.place, ranked.published_at, ranked.project_id, ranked.cid limit $2`,
    inTurnOf(DETECTOR, [cids, limit]),
  );
}
