import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { StoredSoftBinding } from '@colophon/model';
import type { Turn } from '../../platform/work/scheduler.js';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import type { MarkFormat } from '../../search/mark-format.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { withinDecoderLimit } from './decode-video.js';
import { hasBinding } from './image-marks.sql.js';
import { readFilePart } from './search-file.js';
import { digestIssuedMark } from './soft-binding.js';

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

/** Time limit in ms, including the wait for slots. Clients usually wait for 60 s. */
const ENCODED_LIMIT_MS = 50_000;
/** All `cpuSeconds` together stay below `ENCODED_LIMIT_MS`, so a slow file usually gets a reason and not 503. */
export const STEP_TIMES = {
  header: { cpuSeconds: 5, limitMs: 10_000 },
  decode: { cpuSeconds: 10, limitMs: 20_000 },
  encode: { cpuSeconds: 20, limitMs: 40_000 },
};
/** The task takes long, so a waiting search can interrupt it. */
export const ENCODED_TURN = {
  ...{ kind: 'video', isBackground: true, hasCaller: true, canRestart: true },
} as const satisfies Partial<Turn>;

interface MarkMethod {
  as: 'image' | 'sound';
  format: MarkFormat;
}

interface FileToMark {
  path: string;
  sizeBytes: number;
  copy: string;
}

interface MarkedCopyTask extends Pick<MediaToMark, 'signal'> {
  file: FileToMark;
  memoryBytes: number;
  method: MarkMethod;
}

export function toFileToMark({ path, digests, besides }: StagedMedia): FileToMark {
  return { path, sizeBytes: digests.sizeBytes, copy: besides('watermarked') };
}

function whyTooLarge(sizeBytes: number): string | undefined {
  if (sizeBytes <= MAX_DESCRIBED_BYTES) return undefined;
  return `A file of more than ${MAX_DESCRIBED_BYTES} bytes gets no watermark.`;
}

/** `things`: the kind of files in the message that they need FFmpeg, such as `Videos`. */
interface EncodedMarking extends MediaToMark {
  things: string;
  mark: (ffmpeg: string, signal: AbortSignal) => Promise<Watermarking>;
}

/** Rejects with `Unavailable` after `ENCODED_LIMIT_MS`, so that a repeated request can add the watermark. */
export async function markWithFfmpeg(
  { matching: { ffmpeg } }: Pick<MarkedCopyDeps, 'matching'>,
  { media, signal, things, mark }: EncodedMarking,
): Promise<Watermarking> {
  if (ffmpeg === undefined)
    return { reason: `${things} get a watermark only where the operator has installed ffmpeg.` };
  const tooLarge = whyTooLarge(media.digests.sizeBytes);
  if (tooLarge !== undefined) return { reason: tooLarge };
  return withinDecoderLimit({ signal, limitMs: ENCODED_LIMIT_MS }, (limited) => mark(ffmpeg, limited));
}

export async function writeMarkedCopy(
  deps: MarkedCopyDeps,
  projectId: string,
  { file, signal, memoryBytes, method }: MarkedCopyTask,
): Promise<Watermarking> {
  const tooLarge = whyTooLarge(file.sizeBytes);
  if (tooLarge !== undefined) return { reason: tooLarge };
  return deps.scheduler.run({ projectId, kind: 'describe', memoryBytes, signal }, (running, hold) =>
    writeMarkedInSlot(deps, { file, method }, { signal: running, hold }),
  );
}

/** The caller has a slot and the memory. */
export async function writeMarkedInSlot(
  deps: Pick<MarkedCopyDeps, 'provenance' | 'matching'>,
  { file: { path, sizeBytes, copy }, method }: Pick<MarkedCopyTask, 'file' | 'method'>,
  place: Pick<SearchContext, 'signal' | 'hold'>,
): Promise<Watermarking> {
  const { payload, binding } = await drawBinding(deps, method.format);
  const bytes = await readFilePart(path, 0, sizeBytes);
  const task = { kind: 'mark', as: method.as, bytes, payload } as const;
  const answer = await deps.matching.pool.run(task, { ...place, moved: [bytes.buffer] });
  if (answer.kind === 'unmarked') return { reason: answer.reason };
  if (answer.kind !== 'marked') throw new Error(`The search thread returned "${answer.kind}"`);
  await writeFile(copy, answer.bytes, { flag: 'wx', mode: 0o600 });
  return { copy: { path: copy, binding } };
}

/** Draws a random payload that no issued watermark has. It reveals neither the project nor a time. */
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
