import { LIMIT_SECONDS, openMedia, toReason } from './open-picture.js';
import type { Preview, PreviewTask } from './protocol.js';

const EDGE_PIXELS = 1200;
const QUALITY = 80;

/** Makes a smaller JPEG copy: upright, on white, in sRGB, without metadata. */
export async function makePreview(task: PreviewTask, maxBytes: number): Promise<Preview> {
  try {
    const decoder = await openMedia(task, maxBytes);
    if (typeof decoder === 'string') return { kind: 'unread', reason: decoder };
    const copy = await decoder
      .resize({ width: EDGE_PIXELS, height: EDGE_PIXELS, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .jpeg({ quality: QUALITY })
      .timeout({ seconds: LIMIT_SECONDS })
      .toBuffer();
    return { kind: 'preview', bytes: copy };
  } catch (error) {
    return { kind: 'unread', reason: toReason(error) };
  }
}
