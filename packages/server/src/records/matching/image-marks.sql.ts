import type { Queryable } from '../../platform/db/database.js';

/**
 * Maximum number of contents in a result. Usually a watermark identifies one content, because the service draws a new
 * payload for each watermark.
 */
const MAX_CONTENTS = 20;

/** SQL: whether the soft binding `b` has the digest $1 (hex). With an equality, PostgreSQL could plan a complete scan. */
const IS_BOUND = `b.digest between decode($1, 'hex') and decode($1, 'hex')`;

/** Whether any project has a soft binding with this digest (hex). */
export async function hasBinding(db: Queryable, digest: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 as found from provenance.soft_binding b where ${IS_BOUND} order by b.digest limit 1`,
    [digest],
  );
  return rows.length > 0;
}

/**
 * Lists contents with this soft binding (digest in hex), in all projects. Show them only to callers who may see them.
 */
export function listBoundAnywhere(
  db: Queryable,
  digest: string,
): Promise<{ projectId: string; cid: string }[]> {
  return db.query<{ projectId: string; cid: string }>(
    `select b.project_id as "projectId", b.cid from provenance.soft_binding b
     where ${IS_BOUND} order by b.project_id, b.cid limit ${MAX_CONTENTS}`,
    [digest],
  );
}

/** Returns the algorithm of the watermark that the service added to this content; undefined without a watermark. */
export async function readWatermarkAlgorithm(
  db: Queryable,
  projectId: string,
  cid: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ alg: string }>(
    `select r.extensions->'ext:c2pa@1.0.0'->'watermark'->>'alg' as alg from provenance.resource r
     where r.project_id = $1 and r.cid = $2 and r.extensions->'ext:c2pa@1.0.0' ? 'watermark'`,
    [projectId, cid],
  );
  return row?.alg;
}
