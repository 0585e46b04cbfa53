import type { Queryable } from '../../platform/db/database.js';
import type { ErasurePosition } from './erasure.sql.js';

/** Null removes the title. Returns the canonical CID; undefined for unknown content. */
export async function setTitle(
  db: Queryable,
  projectId: string,
  { cid, title }: { cid: string; title: string | null },
): Promise<string | undefined> {
  const [row] = await db.query<{ cid: string | null }>('select provenance.set_title($1, $2, $3) as cid', [
    projectId,
    cid,
    title,
  ]);
  return row?.cid ?? undefined;
}

const NEWEST: ErasurePosition = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/**
 * Deletes the titles and thumbnails of the outputs of at most 200 actions that are older than `after`, newest first.
 * Returns the position of the last action; undefined when there is none.
 */
export async function eraseTitles(
  db: Queryable,
  projectId: string,
  { entityId, after = NEWEST }: { entityId: string; after?: ErasurePosition | undefined },
): Promise<ErasurePosition | undefined> {
  const [row] = await db.query<{ last: ErasurePosition | null }>(
    'select provenance.erase_titles($1, $2, $3::timestamptz, $4::uuid) as last',
    [projectId, entityId, after.at, after.id],
  );
  return row?.last ?? undefined;
}
