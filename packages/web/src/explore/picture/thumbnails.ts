import { ApiError, type Client } from '@colophon/sdk';
import type { HistoryNode } from '../history/history.js';

/** Small pictures of content, fetched when they are first asked for. */
export interface Thumbnails {
  /** The thumbnail of a content, when it is here; else it is fetched, if there can be one. */
  of(node: HistoryNode): ImageBitmap | undefined;
  /** The same without fetching it. */
  known(node: HistoryNode): ImageBitmap | undefined;
  close(): void;
}

const PIXELS = 160;
const MOST_BYTES = 8 * 2 ** 20;
const MOST_KEPT = 400;
/** What was asked for earlier than the newest of these is no longer in view. */
const MOST_WAITING = 40;
const AT_ONCE = 3;
/** Requests of the project's allowance that thumbnails leave to its people. */
const RESERVE = 30;
const SECOND_MS = 1000;
const REFUSED_PAUSE_MS = 20 * SECOND_MS;
const TYPES = /^image\/(png|jpeg|webp|gif|avif)$/;

export function createThumbnails(client: Client, onLoaded: () => void): Thumbnails {
  const kept = new Map<string, ImageBitmap | 'none'>();
  const waiting = new Map<string, true>();
  const ending = new AbortController();
  const state = { running: 0, pausedUntilMs: 0 };
  const known = (node: HistoryNode) => {
    const found = node.kind === 'resource' ? kept.get(node.cid) : undefined;
    return found === 'none' ? undefined : found;
  };
  return {
    known,
    of(node) {
      if (node.kind !== 'resource' || !hasThumbnail(node)) return undefined;
      const { cid } = node;
      const found = kept.get(cid);
      if (found === undefined && !ending.signal.aborted) want(cid);
      else if (found !== undefined) keep(cid, found);
      return known(node);
    },
    close() {
      ending.abort();
      for (const bitmap of kept.values()) if (bitmap !== 'none') bitmap.close();
      kept.clear();
    },
  };

  function want(cid: string): void {
    waiting.delete(cid);
    waiting.set(cid, true);
    const [oldest] = waiting.keys();
    if (waiting.size > MOST_WAITING && oldest !== undefined) waiting.delete(oldest);
    goOn();
  }

  function goOn(): void {
    const next = [...waiting.keys()].at(-1);
    if (next === undefined || state.running >= AT_ONCE || Date.now() < state.pausedUntilMs) return;
    waiting.delete(next);
    state.running += 1;
    kept.set(next, 'none');
    load(next)
      .catch((error) => giveUp(next, error))
      .finally(() => {
        state.running -= 1;
        goOn();
      });
    goOn();
  }

  /** A picture that cannot be had is not missed: its card has a mark. One that was only refused for now is. */
  function giveUp(cid: string, error: unknown): void {
    if (!(error instanceof ApiError) || error.code !== 'TooManyRequests') return;
    kept.delete(cid);
    pause(Date.now() + REFUSED_PAUSE_MS);
  }

  async function load(cid: string): Promise<void> {
    const answer = await client.resources.content(cid, { signal: ending.signal, maxRetries: 0 });
    pauseWhenScarce(answer.headers);
    const bitmap = await createImageBitmap(await answer.blob(), {
      resizeWidth: PIXELS,
      resizeQuality: 'medium',
    });
    if (ending.signal.aborted) return bitmap.close();
    keep(cid, bitmap);
    onLoaded();
  }

  function keep(cid: string, bitmap: ImageBitmap | 'none'): void {
    kept.delete(cid);
    kept.set(cid, bitmap);
    const [oldest] = kept;
    if (kept.size <= MOST_KEPT || oldest === undefined) return;
    kept.delete(oldest[0]);
    if (oldest[1] !== 'none') oldest[1].close();
  }

  function pauseWhenScarce(headers: Headers): void {
    const [left, resetS] = [headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-reset')];
    if (left === null || Number(left) > RESERVE) return;
    pause(Math.max(Date.now() + SECOND_MS, Number(resetS) * SECOND_MS));
  }

  function pause(untilMs: number): void {
    state.pausedUntilMs = untilMs;
    setTimeout(onLoaded, untilMs - Date.now());
  }
}

function hasThumbnail({ resource }: HistoryNode & { kind: 'resource' }): boolean {
  return resource?.size !== undefined && resource.size <= MOST_BYTES && TYPES.test(resource.mimeType ?? '');
}
