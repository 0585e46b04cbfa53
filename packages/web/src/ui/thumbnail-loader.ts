import { ApiError } from '@colophon/sdk';
import { createContext } from 'react';
import { createWaitingList } from './waiting-list.js';

/** The loaded thumbnail of a content. `none`: the content has no thumbnail, so the page shows an icon. */
export type Face = { picture: Blob } | { text: string } | 'none';

/**
 * Loads thumbnails and caches those that were used most recently. Leaves a part of the key's rate limit to the rest of
 * the page.
 */
export interface ThumbnailLoader {
  /**
   * Calls `show` once with the thumbnail: immediately if the thumbnail is cached, or else after the thumbnail has
   * loaded. Returns a function that cancels the request.
   */
  want(cid: string, show: (face: Face) => void): () => void;
  /** Forgets which contents have no thumbnail, so that `want` requests thumbnails again. Call it after a recording. */
  forgetMisses(): void;
}

/** The loader of the open project. Undefined if no project is open: each thumbnail is then an icon. */
export const ThumbnailContext = createContext<ThumbnailLoader | undefined>(undefined);

const MOST_KEPT = 400;
/** Time after which `want` requests a missing thumbnail again, because somebody may have recorded the file. */
const MISS_LIFE_MS = 30_000;
const AT_ONCE = 3;
/** Number of requests in the rate limit that thumbnails leave to the rest of the page. */
const RESERVE = 30;
const SECOND_MS = 1000;
/** Status of the response for content without a thumbnail (`ABSENT_AS_NO_CONTENT`). */
const NO_CONTENT = 204;
const REFUSED_PAUSE_MS = 20 * SECOND_MS;
/** Errors after which a later attempt can succeed. */
const PASSING = ['TooManyRequests', 'Unavailable'];

/** `read` sends one request for the thumbnail of a content, without retries. */
export function createThumbnailLoader(read: (cid: string) => Promise<Response>): ThumbnailLoader {
  const kept = new Map<string, { face: Face; until: number }>();
  const wanted = new Map<string, Set<(face: Face) => void>>();
  const list = createWaitingList({ atOnce: AT_ONCE, mostWaiting: Number.POSITIVE_INFINITY, work });
  return {
    want(cid, show) {
      const known = kept.get(cid);
      if (known !== undefined && known.until > Date.now()) {
        keep(cid, known);
        show(known.face);
        return () => {};
      }
      const shows = wanted.get(cid) ?? new Set();
      wanted.set(cid, shows.add(show));
      list.add(cid);
      return () => {
        if (shows.delete(show) && shows.size === 0) wanted.delete(cid);
      };
    },
    forgetMisses() {
      for (const [cid, { face }] of kept) if (face === 'none') kept.delete(cid);
    },
  };

  async function work(cid: string): Promise<void> {
    // Skip a thumbnail that no component needs any more.
    if (!wanted.has(cid)) return;
    try {
      const answer = await read(cid);
      list.pause(allowedFrom(answer.headers));
      settle(cid, await toFace(answer));
    } catch (error) {
      if (error instanceof ApiError && PASSING.includes(error.code)) repeat(cid);
      else settle(cid, 'none');
    }
  }

  function repeat(cid: string): void {
    list.pause(Date.now() + REFUSED_PAUSE_MS);
    setTimeout(() => list.add(cid), REFUSED_PAUSE_MS);
  }

  function settle(cid: string, face: Face): void {
    keep(cid, { face, until: face === 'none' ? Date.now() + MISS_LIFE_MS : Number.POSITIVE_INFINITY });
    for (const show of wanted.get(cid) ?? []) show(face);
    wanted.delete(cid);
  }

  /** Stores a thumbnail as the most recently used one. A full cache drops the least recently used one. */
  function keep(cid: string, entry: { face: Face; until: number }): void {
    kept.delete(cid);
    kept.set(cid, entry);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  }
}

async function toFace(answer: Response): Promise<Face> {
  if (answer.status === NO_CONTENT) return 'none';
  const isText = answer.headers.get('content-type')?.startsWith('text/plain');
  return isText ? { text: await answer.text() } : { picture: await answer.blob() };
}

/** Returns the earliest time of the next request in Unix milliseconds, or 0 for no delay. */
function allowedFrom(headers: Headers): number {
  if (Number(headers.get('x-ratelimit-remaining') ?? RESERVE + 1) > RESERVE) return 0;
  return Math.max(Date.now() + SECOND_MS, Number(headers.get('x-ratelimit-reset')) * SECOND_MS);
}
