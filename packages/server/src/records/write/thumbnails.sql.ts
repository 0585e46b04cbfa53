import type { Queryable } from '../../platform/db/database.js';

/** `body`: a picture, or the first lines of a text. */
export interface ContentThumbnail {
  mediaType: string;
  body: Buffer;
}

/** Increment it when new thumbnails differ from those that are stored. */
const DRAWING = 1;

const hexOf = (contentDigest: string) => contentDigest.slice('sha256:'.length);

export async function readThumbnail(
  db: Queryable,
  projectId: string,
  contentDigest: string,
): Promise<ContentThumbnail | undefined> {
  const [row] = await db.query<{ mediaType: string; body: string }>(
    `select t.media_type as "mediaType", encode(t.body, 'base64') as body from provenance.thumbnail t
     where t.project_id = $1 and t.slot = provenance.thumbnail_slot(decode($2, 'hex'))
       and t.content_digest = decode($2, 'hex') and t.drawing = $3`,
    [projectId, hexOf(contentDigest), DRAWING],
  );
  return row && { mediaType: row.mediaType, body: Buffer.from(row.body, 'base64') };
}

/** A project has 2,048 slots for thumbnails. A new thumbnail replaces the earlier one in its slot. */
export async function storeThumbnail(
  db: Queryable,
  projectId: string,
  { contentDigest, mediaType, body }: ContentThumbnail & { contentDigest: string },
): Promise<void> {
  await db.query(
    `insert into provenance.thumbnail (project_id, slot, content_digest, drawing, media_type, body)
     values ($1, provenance.thumbnail_slot(decode($2, 'hex')), decode($2, 'hex'), $3, $4, decode($5, 'base64'))
     on conflict (project_id, slot) do update set content_digest = excluded.content_digest,
       drawing = excluded.drawing, media_type = excluded.media_type, body = excluded.body`,
    [projectId, hexOf(contentDigest), DRAWING, mediaType, body.toString('base64')],
  );
}

export async function deleteThumbnail(
  db: Queryable,
  projectId: string,
  contentDigest: string,
): Promise<void> {
  await db.query(
    `delete from provenance.thumbnail t
     where t.project_id = $1 and t.slot = provenance.thumbnail_slot(decode($2, 'hex'))
       and t.content_digest = decode($2, 'hex')`,
    [projectId, hexOf(contentDigest)],
  );
}
