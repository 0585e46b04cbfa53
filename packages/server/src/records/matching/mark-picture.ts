import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { type StoredSoftBinding, toImageMarkBinding } from '@colophon/model';
import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import { copiesToMark } from '../../search/image-mark.js';
import { readPictureShape } from '../../search/picture-shape.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { hasBinding } from './image-marks.sql.js';
import { readFilePart } from './search-file.js';
import { digestIssuedMark } from './soft-binding.js';

/** A copy of a picture with a watermark, and the soft binding of its payload. */
export interface WatermarkedCopy {
  path: string;
  binding: StoredSoftBinding;
}

export type Watermarking = { copy: WatermarkedCopy } | { reason: string };

type PictureMarkDeps = Pick<RecordDeps, 'provenance' | 'matching' | 'scheduler'>;

/**
 * Writes a copy of a picture in a `MARKABLE` format with a new watermark beside the file, or returns the reason why it gets none. Rejects with
 * `Timeout` or `Unavailable`, so that a repeated request can add it.
 */
export async function markPicture(
  deps: PictureMarkDeps,
  projectId: string,
  { media, signal }: { media: StagedMedia; signal: AbortSignal | undefined },
): Promise<Watermarking> {
  if (media.digests.sizeBytes > MAX_DESCRIBED_BYTES)
    return { reason: `A file of more than ${MAX_DESCRIBED_BYTES} bytes gets no watermark.` };
  if (!(await holdPictureLibrary())) return { reason: 'Pictures cannot be decoded on this platform.' };
  const binding = await drawBinding(deps);
  const memoryBytes = await memoryToMark(deps.matching, media);
  return deps.scheduler.run(
    { projectId, kind: 'describe', memoryBytes, signal },
    async (running, hold): Promise<Watermarking> => {
      const place: SearchContext = { signal: running, hold };
      const { payload } = binding;
      const bytes = await readFile(media.path);
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
async function memoryToMark(
  { maxPictureBytes }: Pick<PictureMarkDeps['matching'], 'maxPictureBytes'>,
  { path, mediaType, digests: { sizeBytes } }: StagedMedia,
): Promise<number> {
  const shape = await readPictureShape((start, end) => readFilePart(path, start, end));
  const { width, height, channels } = shape ?? { width: Number.POSITIVE_INFINITY, height: 1, channels: 4 };
  const pixelBytes = width * height * channels * copiesToMark(mediaType);
  return MARKING_BYTES + 2 * sizeBytes + Math.min(pixelBytes, maxPictureBytes);
}
