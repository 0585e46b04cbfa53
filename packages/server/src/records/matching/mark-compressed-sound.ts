import { rm, stat } from 'node:fs/promises';
import type { StoredSoftBinding } from '@colophon/model';
import {
  decodeToWav,
  encodeFromWav,
  MAX_DECODED_BYTES,
  type SoundCoder,
  soundCoderOf,
} from '../../search/audio/encode-sound.js';
import { MAX_SAMPLES_BYTES, readSamples } from '../../search/audio/read-samples.js';
import { openPcm } from '../../search/audio/wav.js';
import { includesBinding } from '../../search/mark-format.js';
import { ENCODER_BYTES } from '../../search/run-decoder.js';
import type { SearchContext } from '../../search/search-pool.js';
import { memoryToMarkSound, SOUND_MARK } from '../../search/sound-mark.js';
import { readFilePart } from './search-file.js';
import {
  ENCODED_TURN,
  type MarkedCopyDeps,
  type MediaToMark,
  markWithFfmpeg,
  STEP_TIMES,
  type Watermarking,
  writeMarkedInSlot,
} from './write-marked-copy.js';

/**
 * The larger of two amounts of memory, in bytes: for FFmpeg with the check of its copy, and for the largest decoded
 * sound.
 */
const SOUND_BYTES = Math.max(
  ENCODER_BYTES + memoryToMarkSound(MAX_SAMPLES_BYTES),
  memoryToMarkSound(MAX_DECODED_BYTES),
);
/** In a WAV file from FFmpeg, the samples begin within these bytes. */
const HEADER_BYTES = 4_096;

/** Whether the service can mark sounds of this type. Also returns true when FFmpeg is not installed. */
export function isMarkableCompressed(mediaType: string): boolean {
  return soundCoderOf(mediaType) !== undefined;
}

interface SoundToMark {
  ffmpeg: string;
  coder: SoundCoder;
  path: string;
  wav: string;
  marked: string;
  copy: string;
}

/** FFmpeg decodes the sound, a thread marks the samples, and FFmpeg encodes them. Rejects like `markWithFfmpeg`. */
export async function markCompressedSound(
  deps: MarkedCopyDeps,
  projectId: string,
  { media, signal }: MediaToMark,
): Promise<Watermarking> {
  const { path, besides, mediaType } = media;
  const coder = soundCoderOf(mediaType);
  if (coder === undefined) throw new Error(`${mediaType} is no compressed sound that can get a watermark`);
  const paths = { path, wav: besides('wav'), marked: besides('marked'), copy: besides('watermarked') };
  const mark = (ffmpeg: string, limited: AbortSignal) =>
    deps.scheduler.run(
      { ...ENCODED_TURN, projectId, signal: limited, memoryBytes: SOUND_BYTES },
      (running, hold) => writeMarked(deps, { ffmpeg, coder, ...paths }, { signal: running, hold }),
    );
  return markWithFfmpeg(deps, { media, signal, things: 'Compressed sounds', mark });
}

/** All steps share one slot, because a wait for a slot before each step could exceed the time limit. */
async function writeMarked(
  deps: MarkedCopyDeps,
  sound: SoundToMark,
  place: Pick<SearchContext, 'signal' | 'hold'>,
): Promise<Watermarking> {
  const { ffmpeg, coder, path, wav, marked, copy } = sound;
  const { signal } = place;
  if (!(await decodeToWav(ffmpeg, { path, coder, signal, ...STEP_TIMES.decode }, wav)))
    return { reason: toDecodingFault(coder) };
  const { size: sizeBytes } = await stat(wav);
  // An interrupted marking can have left a copy.
  await rm(marked, { force: true });
  const file = { path: wav, sizeBytes, copy: marked };
  const inWav = await writeMarkedInSlot(deps, { file, method: { as: 'sound', format: SOUND_MARK } }, place);
  await rm(wav);
  if ('reason' in inWav) return inWav;
  const { binding } = inWav.copy;
  const reason = await encode(deps, { sound, binding }, place);
  await rm(marked);
  return reason === undefined ? { copy: { path: copy, binding } } : { reason };
}

const toDecodingFault = ({ name }: SoundCoder) =>
  `FFmpeg could not decode the sound as ${name} within ${STEP_TIMES.decode.limitMs / 1000} s and ${STEP_TIMES.decode.cpuSeconds} s of processor time, or the decoded sound has more than ${MAX_DECODED_BYTES} bytes.`;

/** Reads the watermark of the copy back. Returns the reason when the sound gets no watermark. */
async function encode(
  { matching }: MarkedCopyDeps,
  { sound, binding }: { sound: SoundToMark; binding: StoredSoftBinding },
  place: Pick<SearchContext, 'signal' | 'hold'>,
): Promise<string | undefined> {
  const { ffmpeg, coder, path, marked: wav, copy } = sound;
  const { signal } = place;
  const pcm = openPcm(await readFilePart(wav, 0, HEADER_BYTES));
  if (typeof pcm === 'string') throw new Error(`The marked WAV file cannot be read: ${pcm}`);
  const files = { wav, copy, channels: pcm.channels };
  const isEncoded = await encodeFromWav(ffmpeg, { path, coder, signal, ...STEP_TIMES.encode }, files);
  if (!isEncoded)
    return `FFmpeg could not encode the sound within ${STEP_TIMES.encode.limitMs / 1000} s and ${STEP_TIMES.encode.cpuSeconds} s of processor time.`;
  const { demuxer } = coder;
  const bytes = await readSamples(ffmpeg, { path: copy, demuxer, signal, ...STEP_TIMES.decode });
  const task = { kind: 'readMark', as: 'samples', bytes } as const;
  const answer = await matching.pool.run(task, { ...place, moved: [bytes.buffer] });
  if (answer.kind === 'read' && includesBinding(answer.bindings, binding)) return undefined;
  await rm(copy);
  return 'The detector cannot read the watermark from the encoded copy.';
}
