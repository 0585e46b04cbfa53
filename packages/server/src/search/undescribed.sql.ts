import type { Queryable } from '../platform/db/database.js';
import { limitClause } from '../platform/db/limit-clause.js';
import { MAX_DESCRIBED_BYTES, type Method } from './descriptor.js';

export interface DescribingTarget {
  method: Method;
  types: RegExp;
  jobKind: string;
  /** Whether content that lacks only its ISCC gets a job too. */
  alsoIscc?: boolean;
}

export interface UndescribedCursor {
  projectId: string;
  cid: string;
}

export const FIRST_PLACE: UndescribedCursor = { projectId: '00000000-0000-0000-0000-000000000000', cid: '' };

/**
 * Queues jobs for up to `limit` stored contents without a descriptor or, with `alsoIscc`, without an ISCC. Returns the
 * next cursor; undefined at the end. Queues a failed job again, because the cause may be gone, but not a waiting one.
 */
export async function queueUndescribed(
  db: Queryable,
  { method, types, jobKind, alsoIscc = false }: DescribingTarget,
  { after, limit }: { after: UndescribedCursor; limit: number },
): Promise<UndescribedCursor | undefined> {
  const lacksIscc = `r.size_bytes <= ${MAX_DESCRIBED_BYTES} and not exists (
    select from provenance.iscc i where i.project_id = r.project_id and i.cid = r.cid)`;
  const rows = await db.query<UndescribedCursor>(
    `with page as materialized (
       select r.project_id, r.cid, r.content_digest, r.mime_type, r.size_bytes
       from provenance.resource r
       where (r.project_id, r.cid) > ($1::uuid, $2) and r.content_digest is not null and r.mime_type ~ $3
         and (not exists (select from provenance.descriptor d
                          where d.method = $4 and d.project_id = r.project_id and d.cid = r.cid)
              ${alsoIscc ? `or ${lacksIscc}` : ''})
       order by r.project_id, r.cid ${limitClause(limit)}),
     queued as (
       insert into provenance.outbox as job (project_id, id, kind, payload)
       select page.project_id, md5($4 || ' ' || page.cid)::uuid, $5, jsonb_build_object('cid', page.cid,
         'contentDigest', 'sha256:' || encode(page.content_digest, 'hex'),
         'mimeType', page.mime_type, 'sizeBytes', page.size_bytes)
       from page on conflict (project_id, id) do update
         set state = 'pending', payload = excluded.payload, attempts = 0, due_at = excluded.due_at where job.state = 'failed')
     select page.project_id as "projectId", page.cid from page order by page.project_id, page.cid`,
    [after.projectId, after.cid, types.source.replaceAll('\\/', '/'), method, jobKind],
  );
  return rows.length < limit ? undefined : rows.at(-1);
}

export async function hasBacklog(db: Queryable, jobKind: string, limit: number): Promise<boolean> {
  const [row] = await db.query<{ waiting: number }>(
    `select count(*)::int as waiting from (
       select id from provenance.outbox where kind = $1 and state = 'pending' limit $2 + 1) counted`,
    [jobKind, limit],
  );
  return (row?.waiting ?? 0) > limit;
}
