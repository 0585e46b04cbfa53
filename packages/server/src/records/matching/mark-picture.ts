import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { type StoredSoftBinding, toImageMarkBinding } from '@colophon/model';
import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import { type PictureShape, readShape } from '../../platform/work/picture-memory.js';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import { MARKABLE, MARKED_COPIES } from '../../search/image-mark.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { hasBinding } from './image-marks.sql.js';
import { digestIssuedMark } from './soft-binding.js';

/** A copy of a picture with a watermark, and the soft binding of its payload. */
export interface WatermarkedCopy {
  path: string;
  binding: StoredSoftBinding;
}

export type Watermarking = { copy: WatermarkedCopy } | { reason: string };

type PictureMarkDeps = Pick<RecordDeps, 'provenance' | 'matching' | 'scheduler'>;

/**
 * Writes a copy of a picture with a new watermark beside the file, or returns the reason why it gets none. Rejects with
 * `Timeout` or `Unavailable`, so that a repeated request can add it.
 */
export async function markPicture(
  deps: PictureMarkDeps,
  projectId: string,
  { media, signal }: { media: StagedMedia; signal: AbortSignal | undefined },
): Promise<Watermarking> {
  const { mediaType, digests } = media;
  if (!MARKABLE.test(mediaType)) return { reason: `The service adds no watermark to ${mediaType}.` };
  if (digests.sizeBytes > MAX_DESCRIBED_BYTES)
    return { reason: `A file of more than ${MAX_DESCRIBED_BYTES} bytes gets no watermark.` };
  if (!(await holdPictureLibrary())) return { reason: 'Pictures cannot be decoded on this platform.' };
  const bytes = await readFile(media.path);
  const binding = await drawBinding(deps);
  const memoryBytes = memoryToMark(readShape(bytes), { sizeBytes: bytes.length, ...deps.matching });
  return deps.scheduler.run(
    { projectId, kind: 'describe', memoryBytes, signal },
    async (running, hold): Promise<Watermarking> => {
      const place: SearchContext = { signal: running, hold };
      const { payload } = binding;
      const answer = await deps.matching.pool.run({ kind: 'mark', bytes, payload }, place);
      if (answer.kind === 'unmarked') return { reason: answer.reason };
      if (answer.kind !== 'marked') throw new Error(`The search thread returned "${answer.kind}"`);
      const path = media.besides('watermarked');
      await writeFile(path, answer.bytes, { flag: 'wx', mode: 0o600 });
      return { copy: { path, binding: binding.asserted } };
    },
  );
}

/** Draws a random payload that no project of this database has. It reveals neither the project nor a sequence. */
async function drawBinding({ provenance }: Pick<RecordDeps, 'provenance'>) {
  for (;;) {
    const payload = BigInt(randomBytes(6).readUIntBE(0, 6));
    const asserted = toImageMarkBinding(payload);
    if (!(await hasBinding(provenance, digestIssuedMark(asserted)))) return { payload, asserted };
  }
}

/** Memory beside the pixels: waves, spectra and the tables of the encoder. */
const MARKING_BYTES = 64 * 2 ** 20;

/** Returns bytes. The marked picture takes at most `maxPictureBytes`, which also counts for a picture of unknown size. */
function memoryToMark(
  shape: PictureShape | undefined,
  { sizeBytes, maxPictureBytes }: { sizeBytes: number; maxPictureBytes: number },
): number {
  const { width, height, channels } = shape ?? { width: Number.POSITIVE_INFINITY, height: 1, channels: 4 };
  return MARKING_BYTES + 2 * sizeBytes + Math.min(width * height * channels * MARKED_COPIES, maxPictureBytes);
}
