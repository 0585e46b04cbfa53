import { untilAborted } from '../../platform/db/database.js';
import { createSharedTasks } from '../../platform/work/shared-tasks.js';
import type { RecordDeps } from '../deps.js';
import { requireContent } from '../pinning/read-content.js';
import {
  type ContentThumbnail,
  readThumbnail as readStored,
  storeThumbnail,
} from '../write/thumbnails.sql.js';
import { makeThumbnail } from './make-thumbnail.js';

/** A request for the thumbnail of a content. `signal` aborts when the caller disconnects. */
interface ThumbnailRequest {
  projectId: string;
  cid: string;
  signal: AbortSignal;
}

export type ReadThumbnail = (request: ThumbnailRequest) => Promise<ContentThumbnail>;

/**
 * Creates the function that returns thumbnails. The first request for a thumbnail draws and stores it. Concurrent
 * requests for a thumbnail share the drawing, which ends when all of them have aborted. Rejects with `NotFound` when
 * the project has no bytes of this CID, or when the content has no thumbnail. Rejects with `Unavailable` when the bytes
 * are lost or no slot is free in time.
 */
export function createReadThumbnail(deps: RecordDeps): ReadThumbnail {
  const { reads, provenance } = deps;
  const join = createSharedTasks<ContentThumbnail>();
  return async ({ projectId, cid, signal }) => {
    // A stored thumbnail is shown only while the bytes exist.
    const content = await requireContent({ ...deps, provenance: reads }, projectId, { cid, signal });
    const { contentDigest } = content;
    const stored = await readStored(untilAborted(reads, signal), projectId, contentDigest);
    if (stored !== undefined) return stored;
    return join(`${projectId} ${contentDigest}`, signal, async (left) => {
      const made = await makeThumbnail(deps, { ...content, projectId }, left);
      await storeThumbnail(untilAborted(provenance, left), projectId, { ...made, contentDigest });
      return made;
    });
  };
}
