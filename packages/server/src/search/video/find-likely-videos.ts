import type { Queryable } from '../../platform/db/database.js';
import {
  type Candidate,
  contentOfPart,
  type Described,
  VIDEO_FRAME_METHOD,
  VIDEO_METHOD,
} from '../descriptor.js';
import type { MemoryIndex } from '../memory-index.js';
import { readCandidates, readNearestNames } from '../nearest.sql.js';

/**
 * Consecutive frames in one request. Each request has its own results, so many videos with the same beginning cannot
 * fill the results of later frames.
 */
const TOGETHER = 4;
const PER_REQUEST = 64;
/** A lower cosine is usual for unrelated frames. */
const MIN_COSINE = 0.5;

export interface LikelyVideosQuery {
  described: Described;
  except: string | undefined;
  limit: number;
  signal: AbortSignal;
}

/** Finds the videos that get the most votes from the frames of the searched video, best first. */
export async function findLikelyVideos(
  { db, index }: { db: Queryable; index: Pick<MemoryIndex, 'find'> },
  projectId: string,
  { described: { turned: frames }, except, limit, signal }: LikelyVideosQuery,
): Promise<Candidate[]> {
  const votes = new Map<string, number>();
  for (let from = 0; from < frames.length; from += TOGETHER) {
    const turned = frames.slice(from, from + TOGETHER);
    const asked = { projectId, method: VIDEO_FRAME_METHOD, turned, limit: PER_REQUEST };
    const near = await index.find(asked, signal);
    signal.throwIfAborted();
    countVotes(votes, near ?? (await readNearestNames(db, projectId, { ...asked, signal })));
  }
  const nearest = [...votes]
    .filter(([cid]) => cid !== except)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, limit)
    .map(([cid, vote]) => ({ cid, turn: 0, cosine: vote / frames.length }));
  return readCandidates(db, projectId, { method: VIDEO_METHOD, nearest });
}

/** Each searched frame gives a video at most one vote: the cosine of the video's nearest frame minus `MIN_COSINE`. */
function countVotes(
  votes: Map<string, number>,
  near: readonly { cid: string; turn: number; cosine: number }[],
): void {
  const seen = new Set<string>();
  // The first entry is the nearest.
  for (const { cid: name, turn, cosine } of near) {
    const cid = contentOfPart(name);
    const vote = `${turn} ${cid}`;
    if (cosine < MIN_COSINE || seen.has(vote)) continue;
    seen.add(vote);
    votes.set(cid, (votes.get(cid) ?? 0) + cosine - MIN_COSINE);
  }
}
