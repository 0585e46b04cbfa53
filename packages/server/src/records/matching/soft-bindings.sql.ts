import type { Queryable } from '../../platform/db/database.js';

/** Callers read one label per statement, because an extension can have a megabyte. */
export async function readLabel(db: Queryable, projectId: string, cid: string): Promise<string | undefined> {
  const [row] = await db.query<{ label: string | null }>(
    `select r.extensions->'ext:c2pa@1.0.0'->>'manifestLabel' as label
     from provenance.resource r
     where r.project_id = $1 and r.cid = $2 and r.content_digest is not null`,
    [projectId, cid],
  );
  return row?.label ?? undefined;
}

/** Maximum number of contents with one label that a look-up reads. */
const MAX_LABELLED = 1_000;

/**
 * Reads the first recorded content with this label, out of at most `MAX_LABELLED`. `between` and the order by the label
 * make PostgreSQL read the index of the labels. With `=`, it could scan all contents in the order of recording.
 */
export async function readLabelledCid(
  db: Queryable,
  projectId: string,
  label: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ cid: string }>(
    `select r.cid
     from (select r.cid, r.created_at from provenance.resource r
           where r.project_id = $1 and r.extensions->'ext:c2pa@1.0.0'->>'manifestLabel' between $2 and $2
             and r.content_digest is not null
           order by r.extensions->'ext:c2pa@1.0.0'->>'manifestLabel' limit ${MAX_LABELLED}) r
     order by r.created_at, r.cid limit 1`,
    [projectId, label],
  );
  return row?.cid;
}

/** Maximum number of contents that a look-up of one binding reads. */
const MAX_BOUND = 1_000;

/** Returns at most 100. Looks up each content by key, because PostgreSQL could plan a join as a complete scan. */
export function readBound(
  db: Queryable,
  projectId: string,
  digest: string,
): Promise<{ cid: string; type: string }[]> {
  return db.query<{ cid: string; type: string }>(
    `select r.cid, r.type
     from (select b.cid from provenance.soft_binding b
           where b.project_id = $1 and b.digest = decode($2, 'hex') order by b.cid limit ${MAX_BOUND}) bound
     cross join lateral (
       select r.cid, r.type, r.created_at from provenance.resource r
       where r.project_id = $1 and r.cid >= bound.cid order by r.cid limit 1) r
     where r.cid = bound.cid
     order by r.created_at, r.cid limit 100`,
    [projectId, digest],
  );
}
