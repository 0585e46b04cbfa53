import type { Queryable } from '../../platform/db/database.js';

/** Usually a watermark identifies one content, because each watermark gets a new payload. */
const MAX_CONTENTS = 20;

/** SQL. $1: digest in hex. With an equality, PostgreSQL could plan a complete scan. */
const IS_BOUND = `b.digest between decode($1, 'hex') and decode($1, 'hex')`;

/** `digest`: hex. Searches all projects. */
export async function hasBinding(db: Queryable, digest: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 as found from provenance.soft_binding b where ${IS_BOUND} order by b.digest limit 1`,
    [digest],
  );
  return rows.length > 0;
}

/** `digest`: hex. Searches all projects. Show the contents only to callers who may see them. */
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

/** Returns undefined when the service added no watermark to this content. */
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
