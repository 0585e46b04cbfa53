import { untilAborted } from '../../platform/db/database.js';
import { setNewest } from '../../platform/work/set-newest.js';
import { createSharedTasks } from '../../platform/work/shared-tasks.js';
import type { RecordDeps } from '../deps.js';
import { requireContent } from '../pinning/read-content.js';
import {
  type ContentThumbnail,
  readThumbnail as readStored,
  storeThumbnail,
} from '../write/thumbnails.sql.js';
import { makeThumbnail } from './make-thumbnail.js';
import { NoThumbnailError } from './no-thumbnail.js';

/** A node forgets undecodable contents after this time, because a decoder may have failed for lack of time. */
const UNDECODABLE = { contents: 4_096, ms: 3_600_000 };

interface ThumbnailRequest {
  projectId: string;
  cid: string;
  signal: AbortSignal;
}

export type ReadThumbnail = (request: ThumbnailRequest) => Promise<ContentThumbnail>;

/** The first request draws and stores the thumbnail. Concurrent requests share the drawing. */
export function createReadThumbnail(deps: RecordDeps): ReadThumbnail {
  const { reads, provenance } = deps;
  const join = createSharedTasks<ContentThumbnail>();
  const undecodable = rememberUndecodable();
  return async ({ projectId, cid, signal }) => {
    // A stored thumbnail is shown only while the bytes exist.
    const content = await requireContent({ ...deps, provenance: reads }, projectId, { cid, signal });
    const { contentDigest } = content;
    const stored = await readStored(untilAborted(reads, signal), projectId, contentDigest);
    if (stored !== undefined) return stored;
    const key = `${projectId} ${contentDigest}`;
    undecodable.assertNone(key);
    return join(key, signal, async (left) => {
      const made = await undecodable.watch(key, makeThumbnail(deps, { ...content, projectId }, left));
      await storeThumbnail(untilAborted(provenance, left), projectId, { ...made, contentDigest });
      return made;
    });
  };
}

/** Remembers errors, so that a damaged picture is not decoded for each request. */
function rememberUndecodable() {
  const errors = new Map<string, { error: NoThumbnailError; until: number }>();
  return {
    assertNone(key: string): void {
      const known = errors.get(key);
      if (known === undefined) return;
      if (performance.now() < known.until) throw known.error;
      errors.delete(key);
    },
    async watch<Made>(key: string, making: Promise<Made>): Promise<Made> {
      try {
        return await making;
      } catch (error) {
        if (error instanceof NoThumbnailError && error.reason === 'undecodable')
          setNewest(errors, key, { error, until: performance.now() + UNDECODABLE.ms }, UNDECODABLE.contents);
        throw error;
      }
    },
  };
}
