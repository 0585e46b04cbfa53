import type { Queryable } from '../../platform/db/database.js';
import { limitClause } from '../../platform/db/limit-clause.js';

/** `pinned`: the CID at each pinning service, by provider. */
export interface StoredContentRow {
  cid: string;
  contentDigest: string;
  sizeBytes: number;
  pinned: Record<string, string>;
}

export async function listStoredTotals(
  db: Queryable,
): Promise<{ projectId: string; contents: number; sizeBytes: number }[]> {
  const rows = await db.query<{ projectId: string; contents: string; sizeBytes: string }>(
    `select r.project_id as "projectId", count(*) as contents, sum(r.size_bytes) as "sizeBytes"
     from provenance.resource r where r.content_digest is not null group by r.project_id order by r.project_id`,
  );
  return rows.map(({ projectId, contents, sizeBytes }) => ({
    projectId,
    contents: Number(contents),
    sizeBytes: Number(sizeBytes),
  }));
}

export async function listStoredContents(
  db: Queryable,
  projectId: string,
  { after, limit }: { after: string; limit: number },
): Promise<StoredContentRow[]> {
  const rows = await db.query<Omit<StoredContentRow, 'sizeBytes'> & { sizeBytes: string }>(
    `select r.cid, 'sha256:' || encode(r.content_digest, 'hex') as "contentDigest", r.size_bytes::text as "sizeBytes",
       coalesce((select jsonb_object_agg(p.provider, p.pinned_as) from provenance.pin p
         where p.project_id = r.project_id and p.cid = r.cid and p.pinned_at is not null), '{}') as pinned
     from provenance.resource r
     where r.project_id = $1 and r.cid > $2 and r.content_digest is not null order by r.cid ${limitClause(limit)}`,
    [projectId, after],
  );
  return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }));
}

/** `names`: CIDs (codec raw, SHA-256). One look-up per name, because PostgreSQL could plan a complete scan. */
export async function filterStored(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    `select given.name from unnest($2::text[]) as given(name),
       lateral (select provenance.resolve($1, given.name) as cid offset 0) named
     where (select r.cid = named.cid and r.content_digest is not null from provenance.resource r
            where r.project_id = $1 and r.cid >= named.cid order by r.cid limit 1)`,
    [projectId, names],
  );
  return new Set(rows.map(({ name }) => name));
}
