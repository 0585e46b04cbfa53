import { ApiError, type Client } from '@colophon/sdk';
import type { HistoryNode } from '../history/history.js';
import { createWaitingList } from './waiting-list.js';

/** Small pictures of content. They are fetched at their first use. */
export interface Thumbnails {
  /** Returns the thumbnail if it is loaded. Otherwise queues a request, unless the content cannot have a thumbnail. */
  of(node: HistoryNode): ImageBitmap | undefined;
  /** Returns the loaded thumbnail. Starts no fetch. */
  known(node: HistoryNode): ImageBitmap | undefined;
  close(): void;
}

const PIXELS = 160;
const MOST_BYTES = 8 * 2 ** 20;
const MOST_KEPT = 400;
/** Maximum length of the queue. Older requests are dropped: their nodes are probably no longer visible. */
const MOST_WAITING = 40;
const AT_ONCE = 3;
/** Number of requests in the rate limit that thumbnails leave to the rest of the page. */
const RESERVE = 30;
const SECOND_MS = 1000;
const REFUSED_PAUSE_MS = 20 * SECOND_MS;
const TYPES = /^image\/(png|jpeg|webp|gif|avif)$/;

/** Calls `onChange` after a thumbnail has loaded, and when the rate limit allows new requests. */
export function createThumbnails(client: Client, onChange: () => void): Thumbnails {
  const kept = new Map<string, ImageBitmap | 'none'>();
  const ending = new AbortController();
  const list = createWaitingList({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING, work });
  const known = (node: HistoryNode) => {
    const found = node.kind === 'resource' ? kept.get(node.cid) : undefined;
    return found === 'none' ? undefined : found;
  };
  return {
    known,
    of(node) {
      if (node.kind !== 'resource' || !hasThumbnail(node) || ending.signal.aborted) return undefined;
      const found = kept.get(node.cid);
      if (found === undefined) list.add(node.cid);
      else keep(kept, node.cid, found);
      return known(node);
    },
    close() {
      ending.abort();
      for (const bitmap of kept.values()) if (bitmap !== 'none') bitmap.close();
      kept.clear();
    },
  };

  async function work(cid: string): Promise<void> {
    try {
      const { bitmap, allowedFromMs } = await load(client, cid, ending.signal);
      if (ending.signal.aborted) return bitmap.close();
      keep(kept, cid, bitmap);
      pause(allowedFromMs);
      onChange();
    } catch (error) {
      // Only a request over the rate limit is repeated. For other errors the card shows a mark.
      if (error instanceof ApiError && error.code === 'TooManyRequests') pause(Date.now() + REFUSED_PAUSE_MS);
      else keep(kept, cid, 'none');
    }
  }

  function pause(untilMs: number): void {
    if (untilMs <= Date.now()) return;
    list.pause(untilMs);
    setTimeout(onChange, untilMs - Date.now());
  }
}

/** Returns the thumbnail and the earliest time of the next request. */
async function load(client: Client, cid: string, signal: AbortSignal) {
  const answer = await client.resources.content(cid, { signal, maxRetries: 0 });
  const resize = { resizeWidth: PIXELS, resizeQuality: 'medium' } as const;
  const bitmap = await createImageBitmap(await answer.blob(), resize);
  const { headers } = answer;
  const isScarce = Number(headers.get('x-ratelimit-remaining') ?? RESERVE + 1) <= RESERVE;
  const resetMs = Number(headers.get('x-ratelimit-reset')) * SECOND_MS;
  return { bitmap, allowedFromMs: isScarce ? Math.max(Date.now() + SECOND_MS, resetMs) : 0 };
}

/** Caches a thumbnail. A full cache loses the thumbnail that was not used for the longest time. */
function keep(kept: Map<string, ImageBitmap | 'none'>, cid: string, bitmap: ImageBitmap | 'none'): void {
  kept.delete(cid);
  kept.set(cid, bitmap);
  const [oldest] = kept;
  if (kept.size <= MOST_KEPT || oldest === undefined) return;
  kept.delete(oldest[0]);
  if (oldest[1] !== 'none') oldest[1].close();
}

function hasThumbnail({ resource }: HistoryNode & { kind: 'resource' }): boolean {
  const { size, mimeType = '' } = resource ?? {};
  return size !== undefined && size <= MOST_BYTES && TYPES.test(mimeType);
}
