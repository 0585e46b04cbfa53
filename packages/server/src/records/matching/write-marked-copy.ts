import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { StoredSoftBinding } from '@colophon/model';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import type { MarkFormat } from '../../search/mark-format.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { hasBinding } from './image-marks.sql.js';
import { readFilePart } from './search-file.js';
import { digestIssuedMark } from './soft-binding.js';

/** A watermarked copy of a file, and the soft binding of the watermark's payload. */
export interface WatermarkedCopy {
  path: string;
  binding: StoredSoftBinding;
}

export type Watermarking = { copy: WatermarkedCopy } | { reason: string };

export type MarkedCopyDeps = Pick<RecordDeps, 'provenance' | 'matching' | 'scheduler'>;

export interface MediaToMark {
  media: StagedMedia;
  signal: AbortSignal | undefined;
}

interface MarkMethod {
  as: 'image' | 'sound';
  format: MarkFormat;
}

/** Writes a copy with a new watermark in the directory of the file, or returns the reason why there is none. */
export async function writeMarkedCopy(
  deps: MarkedCopyDeps,
  projectId: string,
  { media, signal, memoryBytes, method }: MediaToMark & { memoryBytes: number; method: MarkMethod },
): Promise<Watermarking> {
  if (media.digests.sizeBytes > MAX_DESCRIBED_BYTES)
    return { reason: `A file of more than ${MAX_DESCRIBED_BYTES} bytes gets no watermark.` };
  const { payload, binding } = await drawBinding(deps, method.format);
  return deps.scheduler.run(
    { projectId, kind: 'describe', memoryBytes, signal },
    async (running, hold): Promise<Watermarking> => {
      const bytes = await readFilePart(media.path, 0, media.digests.sizeBytes);
      const place: SearchContext = { signal: running, hold, moved: [bytes.buffer] };
      const answer = await deps.matching.pool.run({ kind: 'mark', as: method.as, bytes, payload }, place);
      if (answer.kind === 'unmarked') return { reason: answer.reason };
      if (answer.kind !== 'marked') throw new Error(`The search thread returned "${answer.kind}"`);
      const path = media.besides('watermarked');
      await writeFile(path, answer.bytes, { flag: 'wx', mode: 0o600 });
      return { copy: { path, binding } };
    },
  );
}

/** Draws a random payload that no issued watermark in this database has. It reveals neither the project nor a time. */
export async function drawBinding(
  { provenance }: Pick<RecordDeps, 'provenance'>,
  { payloadBits, toBinding }: MarkFormat,
): Promise<{ payload: bigint; binding: StoredSoftBinding }> {
  for (;;) {
    const drawn = randomBytes(Math.ceil(payloadBits / 8)).toString('hex');
    const payload = BigInt.asUintN(payloadBits, BigInt(`0x${drawn}`));
    const binding = toBinding(payload);
    if (!(await hasBinding(provenance, digestIssuedMark(binding)))) return { payload, binding };
  }
}
