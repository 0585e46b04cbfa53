import type { BlobRef } from '../../blobs/blob-store.js';
import type { Turn } from '../../platform/work/scheduler.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { ThumbnailTask } from '../../search/worker/protocol.js';
import type { RecordDeps } from '../deps.js';
import type { ContentThumbnail } from '../write/thumbnails.sql.js';
import { noThumbnail } from './no-thumbnail.js';

export type ThumbnailDeps = Pick<RecordDeps, 'blobs' | 'copies' | 'matching' | 'scheduler'>;

/** A content whose bytes are in the store. */
export interface DrawnContent extends BlobRef {
  cid: string;
  mimeType: string;
  sizeBytes: number;
}

export interface Drawer extends Pick<Turn, 'kind' | 'memoryBytes'> {
  draw(place: SearchContext): Promise<ContentThumbnail>;
}

/** Memory to draw a small picture or a waveform, in bytes. */
export const DRAWING_BYTES = 32 * 2 ** 20;

/** The bytes move to the thread without a copy. */
export async function drawInThread(
  { matching: { pool } }: Pick<ThumbnailDeps, 'matching'>,
  content: DrawnContent,
  {
    as,
    bytes,
    place,
  }: Omit<ThumbnailTask, 'kind' | 'bytes'> & {
    bytes: Uint8Array<ArrayBuffer>;
    place: SearchContext;
  },
): Promise<ContentThumbnail> {
  const answer = await pool.run({ kind: 'thumbnail', as, bytes }, { ...place, moved: [bytes.buffer] });
  if (answer.kind === 'drawn') return { mediaType: 'image/webp', body: Buffer.from(answer.bytes) };
  if (answer.kind === 'undrawn') throw noThumbnail(content, 'undecodable', answer.reason);
  throw new Error(`The search thread returned "${answer.kind}", but a thumbnail was requested`);
}
