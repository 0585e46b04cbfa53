import { FIRST_BYTES, readFirstLines } from '../../search/text/first-lines.js';
import { memoryToDescribe, readStored, toUndescribed } from '../matching/describe-content.js';
import { lost } from '../pinning/read-content.js';
import { DRAWING_BYTES, type Drawer, type DrawnContent, drawInThread, type ThumbnailDeps } from './drawer.js';
import { noThumbnail } from './no-thumbnail.js';

/** One minute of stereo with 24 bits at 48 kHz has 17 MB. */
const MAX_WAV_BYTES = 32 * 2 ** 20;

/** Returns plain text, even for HTML. */
export function textDrawer(deps: ThumbnailDeps, content: DrawnContent): Drawer {
  return {
    kind: 'text',
    memoryBytes: FIRST_BYTES,
    async draw({ signal }) {
      const lines = readFirstLines(await readStart(deps, content, { maxBytes: FIRST_BYTES, signal }));
      if (lines === '') throw noThumbnail(content, 'undecodable', 'Its beginning has no text.');
      return { mediaType: 'text/plain; charset=utf-8', body: Buffer.from(lines) };
    },
  };
}

/** The slot reserves the memory that the header of the picture requires. */
export async function imageDrawer(
  deps: ThumbnailDeps,
  content: DrawnContent,
  as: 'image' | 'heif',
): Promise<Drawer> {
  const { blobs, matching } = deps;
  const memoryBytes = await memoryToDescribe(matching, toUndescribed(blobs, as, content));
  return {
    kind: 'describe',
    memoryBytes,
    async draw(place) {
      const maxBytes = content.sizeBytes;
      const bytes = await readStart(deps, content, { maxBytes, signal: place.signal });
      return drawInThread(deps, content, { as, bytes, place });
    },
  };
}

export function wavDrawer(deps: ThumbnailDeps, content: DrawnContent): Drawer {
  const maxBytes = Math.min(content.sizeBytes, MAX_WAV_BYTES);
  return {
    kind: 'describe',
    memoryBytes: DRAWING_BYTES + 2 * maxBytes,
    async draw(place) {
      const bytes = await readStart(deps, content, { maxBytes, signal: place.signal });
      return drawInThread(deps, content, { as: 'wav', bytes, place });
    },
  };
}

async function readStart(
  { blobs }: ThumbnailDeps,
  content: DrawnContent,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  const end = Math.min(content.sizeBytes, maxBytes);
  const bytes = end === 0 ? new Uint8Array() : await readStored(blobs, content, { start: 0, end, signal });
  if (bytes === undefined) throw lost(content.cid);
  return bytes;
}
