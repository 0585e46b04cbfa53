import type { Queryable } from '../platform/db/database.js';
import { IS_LIVE, PUBLICATION_COLUMNS, type PublicationRow } from './publications.sql.js';

/**
 * SQL: whether the detector may show the publication `b`. The project must permit this, because the detector shows the
 * link, which gives access to the publication.
 */
const IS_DETECTABLE = `${IS_LIVE} and p.public_detector`;

/**
 * Lists live publications of these contents in projects that permit the detector, earliest first. For each content of a
 * project, lists only the earliest publication.
 */
export async function listLivePublications(
  db: Queryable,
  { cids, limit }: { cids: readonly string[]; limit: number },
): Promise<PublicationRow[]> {
  return db.query<PublicationRow>(
    `select ${PUBLICATION_COLUMNS} from (
       select distinct on (b.project_id, b.cid) b.*
       from control.publication b join control.project p on p.id = b.project_id
       where b.cid = any($1::text[]) and ${IS_DETECTABLE} order by b.project_id, b.cid, b.created_at, b.id) b
     order by b.created_at, b.id limit $2`,
    [cids, limit],
  );
}

/** Lists projects that permit the detector and have a live publication, oldest project first. */
export async function listPublishingProjects(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select p.id from control.project p where p.deleted_at is null and exists (
       select 1 from control.publication b where b.project_id = p.id and ${IS_DETECTABLE})
     order by p.created_at, p.id limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Lists the contents that have a live publication without withheld parts, in projects that permit the detector. The
 * content with the earliest publication is first. Only the manifests of these contents are public, because a manifest
 * can contain any withheld part. A publication with hidden entities always withholds `details`, so it does not make a
 * manifest public.
 */
export async function listOpenContents(
  db: Queryable,
  { cids, limit }: { cids: readonly string[]; limit: number },
): Promise<{ projectId: string; cid: string }[]> {
  return db.query<{ projectId: string; cid: string }>(
    `select b.project_id as "projectId", b.cid
     from control.publication b join control.project p on p.id = b.project_id
     where b.cid = any($1::text[]) and ${IS_DETECTABLE} and b.withhold = '[]'::jsonb and b.titles
     group by b.project_id, b.cid order by min(b.created_at), b.project_id limit $2`,
    [cids, limit],
  );
}
