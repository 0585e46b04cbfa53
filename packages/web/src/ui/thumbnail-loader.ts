import { ApiError } from '@colophon/sdk';
import { createContext } from 'react';
import { createWaitingList } from './waiting-list.js';

/** `none`: the content has no thumbnail. */
export type Face = { picture: Blob } | { text: string } | 'none';

/** Caches recently used thumbnails, and leaves a part of the rate limit to the rest of the page. */
export interface ThumbnailLoader {
  /** Calls `show` once, immediately for a cached thumbnail. The returned function cancels the request. */
  want(cid: string, show: (face: Face) => void): () => void;
  /** Lets `want` request missing thumbnails again, after a recording. */
  forgetMisses(): void;
}

/** Undefined if no project is open. */
export const ThumbnailContext = createContext<ThumbnailLoader | undefined>(undefined);

const MOST_KEPT = 400;
/** Somebody may record the file meanwhile. */
const MISS_LIFE_MS = 30_000;
const AT_ONCE = 3;
/** Requests of the rate limit that thumbnails leave to the rest of the page. */
const RESERVE = 30;
const SECOND_MS = 1000;
/** Content without a thumbnail (`ABSENT_AS_NO_CONTENT`). */
const NO_CONTENT = 204;
const REFUSED_PAUSE_MS = 20 * SECOND_MS;
/** Errors after which a later attempt can succeed. */
const PASSING = ['TooManyRequests', 'Unavailable'];

/** `read` sends one request, without retries. */
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
    // No component needs this thumbnail any more.
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

  /** A full cache drops the least recently used thumbnail. */
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

/** Unix milliseconds, or 0 for no delay. */
function allowedFrom(headers: Headers): number {
  if (Number(headers.get('x-ratelimit-remaining') ?? RESERVE + 1) > RESERVE) return 0;
  return Math.max(Date.now() + SECOND_MS, Number(headers.get('x-ratelimit-reset')) * SECOND_MS);
}
