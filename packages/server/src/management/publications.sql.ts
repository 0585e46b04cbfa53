import type { Publication, Withholdable } from '@colophon/model';
import { OWNER_OF_ORG } from '../control/project-owners.sql.js';
import { inTurnOf, type Queryable, type Tx } from '../platform/db/database.js';

export interface PublicationRow {
  id: string;
  projectId: string;
  cid: string;
  title: string | null;
  withhold: Withholdable[];
  hiddenEntities: Publication['hiddenEntities'];
  titles: boolean;
  picture: boolean;
  license: boolean;
  pseudonymKey: Uint8Array;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const PUBLICATION_COLUMNS = `b.id, b.project_id as "projectId", b.cid, b.title, b.withhold, b.hidden_entities as "hiddenEntities", b.titles, b.picture, b.license,
  b.pseudonym_key as "pseudonymKey", b.created_at as "createdAt", b.expires_at as "expiresAt",
  b.revoked_at as "revokedAt"`;

/** A publication as its project sees it. */
export interface OwnPublicationRow extends PublicationRow {
  views: number;
}

/** Only the project of the publication may see the views. */
const OWN_COLUMNS = `${PUBLICATION_COLUMNS}, coalesce((
  select least(v.views, 2147483647) from control.publication_views v
  where v.project_id = b.project_id and v.publication_id = b.id), 0)::int as views`;

/** SQL: whether the publication `b` of the project `p` is public now. */
const IS_LIVE = `b.revoked_at is null and (b.expires_at is null or b.expires_at > now()) and p.deleted_at is null`;

/** Uses an advisory lock. A row lock could deadlock with changes of the project, which lock the organisation first. */
export async function lockPublishing(tx: Tx, projectId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('publications ' || $1::text, 1))`, [
    projectId,
  ]);
}

/** Counts up to `limit`, without reading revoked or expired publications. */
export async function countLivePublications(tx: Tx, projectId: string, limit: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from (
       (select 1 from control.publication
        where project_id = $1 and revoked_at is null and expires_at is null limit $2)
       union all
       (select 1 from control.publication
        where project_id = $1 and revoked_at is null and expires_at > now() limit $2)
       limit $2) live`,
    [projectId, limit],
  );
  return row?.count ?? 0;
}

export async function insertPublication(
  tx: Tx,
  row: Omit<PublicationRow, 'createdAt' | 'revokedAt'>,
): Promise<{ made: OwnPublicationRow; orgId: string } | undefined> {
  const [made] = await tx.query<OwnPublicationRow & { orgId: string }>(
    `insert into control.publication as b
       (project_id, id, cid, title, withhold, hidden_entities, pseudonym_key, expires_at, titles, picture, license)
     select p.id, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9, $10, $11
     from control.project p where p.id = $1 and p.deleted_at is null
     returning ${OWN_COLUMNS}, (select org_id from control.project where id = $1) as "orgId"`,
    [
      row.projectId,
      row.id,
      row.cid,
      row.title,
      JSON.stringify(row.withhold),
      JSON.stringify(row.hiddenEntities),
      row.pseudonymKey,
      row.expiresAt?.toISOString() ?? null,
      row.titles,
      row.picture,
      row.license,
    ],
  );
  if (made === undefined) return undefined;
  const { orgId, ...rest } = made;
  return { made: rest, orgId };
}

/** Reads a publication even if it is revoked or has expired. */
export async function readOwnPublication(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<(OwnPublicationRow & { orgId: string }) | undefined> {
  const [row] = await tx.query<OwnPublicationRow & { orgId: string }>(
    `select ${OWN_COLUMNS}, p.org_id as "orgId"
     from control.publication b join control.project p on p.id = b.project_id
     where b.project_id = $1 and b.id = $2 for update of b`,
    [projectId, id],
  );
  return row;
}

export async function revokePublicationRow(tx: Tx, projectId: string, id: string): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date }>(
    `update control.publication set revoked_at = now()
     where project_id = $1 and id = $2 and revoked_at is null returning revoked_at as at`,
    [projectId, id],
  );
  return row?.at ?? null;
}

/** Returns false unless the publication was revoked in the last `withinMs` milliseconds. */
export async function restorePublicationRow(
  tx: Tx,
  { projectId, id }: { projectId: string; id: string },
  withinMs: number,
): Promise<boolean> {
  const rows = await tx.query(
    `update control.publication set revoked_at = null
     where project_id = $1 and id = $2 and revoked_at >= now() - $3::int * interval '1 millisecond' returning id`,
    [projectId, id, withinMs],
  );
  return rows.length > 0;
}

export async function readLivePublication(db: Queryable, id: string): Promise<PublicationRow | undefined> {
  const [row] = await db.query<PublicationRow>(
    `select ${PUBLICATION_COLUMNS} from control.publication b join control.project p on p.id = b.project_id
     where b.id = $1 and ${IS_LIVE}`,
    [id],
  );
  return row;
}

/** `cursor`: the id of the last publication of the previous page. */
export interface PublicationQuery {
  cid?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** A page ends with the publication at which the total size of the hidden entities reaches this limit. */
const MAX_PAGE_BYTES = 2 ** 20;

/** Position before the newest publication. */
const BEGIN = `'infinity'::timestamptz as created_at, '' as id`;

/**
 * Reads the publications of project $1 after the cursor $2; with `isOfCid`, only those of the content $4. Each step
 * reads the next entry of an index in the order of the page, so PostgreSQL does not search all publications for the
 * content. Reads the sizes one by one, because the hidden entities of a publication can have almost 1 MB.
 */
const toPageStatement = (isOfCid: boolean) => `
  with recursive page as (
    select start.created_at, start.id, 0::bigint as bytes_before, 0::bigint as bytes, 0 as place
    from (
      select ${BEGIN} where $2::text is null
      union all
      select c.created_at, c.id from control.publication c where c.project_id = $1 and c.id = $2
    ) start
    union all
    select next.created_at, next.id, page.bytes_before + page.bytes,
      case when page.bytes_before + page.bytes < ${MAX_PAGE_BYTES}
        then pg_column_size(next.hidden_entities::text)::bigint end,
      page.place + 1
    from page, lateral (
      select b.id, b.cid, b.created_at, b.hidden_entities from control.publication b
      where b.project_id = $1
        and (${isOfCid ? 'b.cid,' : ''} b.created_at, b.id) < (${isOfCid ? '$4,' : ''} page.created_at, page.id)
      order by ${isOfCid ? 'b.cid desc,' : ''} b.created_at desc, b.id desc limit 1
    ) next
    where page.place < $3 and page.bytes_before < ${MAX_PAGE_BYTES} ${isOfCid ? 'and next.cid = $4' : ''})
  select ${OWN_COLUMNS}, (select max(place) from page) as found
  from page cross join lateral (
    select * from control.publication b where b.project_id = $1 and b.id = page.id limit 1) b
  where page.place > 0 and page.bytes_before < ${MAX_PAGE_BYTES}
  order by page.place`;
const PAGE = toPageStatement(false);
const PAGE_OF_CID = toPageStatement(true);

/** Newest first. If `found` is larger than the number of rows, the page ended because of its size. */
export async function listPublicationRows(
  db: Queryable,
  projectId: string,
  { cid, cursor, limit }: PublicationQuery,
): Promise<(OwnPublicationRow & { found: number })[]> {
  const values = [projectId, cursor ?? null, limit];
  return cid === undefined ? db.query(PAGE, values) : db.query(PAGE_OF_CID, [...values, cid]);
}

/** Maximum number of projects that `listOpenProjects` returns. */
const MAX_ASKED = 1_000;
/** Maximum number of projects from which `listOpenProjects` chooses. */
const MAX_OPEN = 10_000;

/** The owners take turns, so an owner with very many projects does not displace the projects of others. */
export async function listOpenProjects(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select ranked.id from (
       select open.id, open.created_at, row_number() over (partition by ${OWNER_OF_ORG} order by open.created_at) as place
       from (
         select p.id, p.org_id, p.created_at from control.project p
         where p.public_checks and p.deleted_at is null order by p.created_at limit $2
       ) open join control.org o on o.id = open.org_id
     ) ranked
     order by ranked.place, ranked.created_at limit $1`,
    inTurnOf('public checks', [MAX_ASKED, MAX_OPEN]),
  );
  return rows.map(({ id }) => id);
}
