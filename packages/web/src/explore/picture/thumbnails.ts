import type { Face, ThumbnailLoader } from '../../ui/thumbnail-loader.js';
import type { HistoryNode } from '../history/history.js';

/** The page fetches each thumbnail at its first use. */
export interface Thumbnails {
  /** Returns a loaded thumbnail, or else queues a request. */
  of(node: HistoryNode): ImageBitmap | undefined;
  /** Starts no fetch. */
  known(node: HistoryNode): ImageBitmap | undefined;
  close(): void;
}

const PIXELS = 160;
const MOST_KEPT = 400;
/** Older requests are dropped, because their nodes are probably no longer visible. */
const MOST_WAITING = 40;
const TYPES = /^(image|video)\//;

export function createThumbnails(loader: ThumbnailLoader, onChange: () => void): Thumbnails {
  const kept = new Map<string, ImageBitmap | 'none'>();
  /** Maps a CID to its waiting request, oldest first. */
  const waiting = new Map<string, () => void>();
  let isClosed = false;
  const known = (node: HistoryNode) => {
    const found = kept.get(contentOf(node) ?? '');
    return found === 'none' ? undefined : found;
  };
  return {
    known,
    of(node) {
      const content = contentOf(node);
      if (content === undefined || isClosed) return undefined;
      const found = kept.get(content);
      if (found === undefined) request(content);
      else keep(kept, content, found);
      return known(node);
    },
    close() {
      isClosed = true;
      for (const cancel of waiting.values()) cancel();
      for (const bitmap of kept.values()) if (bitmap !== 'none') bitmap.close();
      kept.clear();
    },
  };

  function request(cid: string): void {
    if (waiting.has(cid)) return;
    waiting.set(cid, () => {});
    const cancel = loader.want(cid, (face) => void take(cid, face));
    waiting.set(cid, cancel);
    const [oldest] = waiting;
    if (waiting.size <= MOST_WAITING || oldest === undefined) return;
    oldest[1]();
    waiting.delete(oldest[0]);
  }

  async function take(cid: string, face: Face): Promise<void> {
    const bitmap = await toBitmap(face);
    waiting.delete(cid);
    if (!isClosed) keep(kept, cid, bitmap);
    else if (bitmap !== 'none') bitmap.close();
    if (bitmap !== 'none' && !isClosed) onChange();
  }
}

async function toBitmap(face: Face): Promise<ImageBitmap | 'none'> {
  if (face === 'none' || !('picture' in face)) return 'none';
  return createImageBitmap(face.picture, { resizeWidth: PIXELS, resizeQuality: 'medium' });
}

/** A full cache drops the least recently used thumbnail. */
function keep(kept: Map<string, ImageBitmap | 'none'>, cid: string, bitmap: ImageBitmap | 'none'): void {
  kept.delete(cid);
  kept.set(cid, bitmap);
  const [oldest] = kept;
  if (kept.size <= MOST_KEPT || oldest === undefined) return;
  kept.delete(oldest[0]);
  if (oldest[1] !== 'none') oldest[1].close();
}

function contentOf(node: HistoryNode): string | undefined {
  const shown = node.kind === 'group' ? node.group.pictured : node.kind === 'resource' ? node : undefined;
  const hasThumbnail = shown?.resource?.size !== undefined && TYPES.test(shown.resource.mimeType ?? '');
  return hasThumbnail ? shown.cid : undefined;
}
