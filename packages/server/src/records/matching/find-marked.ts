import type { CheckCode, StoredSoftBinding } from '@colophon/model';
import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import type { Turn } from '../../platform/work/scheduler.js';
import { MAX_SAMPLES_BYTES, readSamples, soundDemuxerOf } from '../../search/audio/read-samples.js';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import { DECODER_BYTES } from '../../search/run-decoder.js';
import { MARKABLE_SOUND, memoryToMarkSound } from '../../search/sound-mark.js';
import { demuxerOf } from '../../search/video/frames.js';
import { sampleFrames } from '../../search/video/mark-video.js';
import type { ReadMarkTask } from '../../search/worker/protocol.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { withinDecoderLimit } from './decode-video.js';
import { memoryToDescribe } from './describe-content.js';
import { listBoundAnywhere } from './image-marks.sql.js';
import { SAMPLES_BYTES } from './mark-video-file.js';
import { FileRejection, readFilePart, toQueried } from './search-file.js';
import { digestIssuedMark } from './soft-binding.js';

/** `tenant`: the id of this background task in the fair queue, in place of a project. */
interface MarkedQuery {
  file: StagedMedia;
  tenant: string;
  signal: AbortSignal;
}

export interface WatermarkedContent {
  projectId: string;
  cid: string;
  binding: StoredSoftBinding;
}

/** `kind`: the kind of the slot. `limitMs` includes the wait for the slot. */
interface Reader extends Pick<Turn, 'kind'> {
  as: ReadMarkTask['as'];
  memoryBytes: number;
  limitMs?: number;
  read(signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

/** Time limit of the decoder, in ms. For a video, the service then reads the frames that it has. */
const DECODER_LIMIT_MS = 10_000;
/** Time limit in ms, including the wait for the slot. Another video can occupy the slot for longer. */
const COMPRESSED_LIMIT_MS = 15_000;

/**
 * Finds contents of all projects. Show them only to callers who may see them. The result proves nothing, because a
 * watermark can be copied to another file. Throws `FileRejection` for a file that the service cannot read.
 */
export async function findMarked(
  deps: RecordDeps,
  { file, tenant, signal }: MarkedQuery,
): Promise<WatermarkedContent[]> {
  const reader = await readerOf(deps, file);
  const { limitMs } = reader;
  const read = (limited: AbortSignal) => readBindings(deps, reader, { tenant, signal: limited });
  const bindings = await (limitMs === undefined
    ? read(signal)
    : withinDecoderLimit({ signal, limitMs }, read));
  const found = bindings.map(async (binding) => {
    const contents = await listBoundAnywhere(deps.reads, digestIssuedMark(binding));
    return contents.map((content) => ({ ...content, binding }));
  });
  return (await Promise.all(found)).flat();
}

function readBindings(
  { scheduler, matching }: RecordDeps,
  { as, kind, memoryBytes, read }: Reader,
  { tenant, signal }: Omit<MarkedQuery, 'file'>,
): Promise<readonly StoredSoftBinding[]> {
  const turn = { isBackground: true, canRestart: true, signal, kind, projectId: tenant, memoryBytes };
  return scheduler.run(turn, async (running, hold) => {
    const bytes = await read(running);
    const place = { signal: running, hold, moved: [bytes.buffer] };
    const answer = await matching.pool.run({ kind: 'readMark', as, bytes }, place);
    if (answer.kind === 'unread') throw unread(answer.reason, 'unreadable');
    if (answer.kind !== 'read') throw new Error(`The search thread returned "${answer.kind}"`);
    return answer.bindings;
  });
}

function readerOf(deps: RecordDeps, file: StagedMedia): Reader | Promise<Reader> {
  const { mediaType, digests } = file;
  const videoDemuxer = demuxerOf(mediaType);
  if (videoDemuxer !== undefined) return videoReader(deps, { file, demuxer: videoDemuxer });
  const demuxer = soundDemuxerOf(mediaType);
  if (demuxer === undefined && !MARKABLE_SOUND.test(mediaType)) return pictureReader(deps, file);
  if (digests.sizeBytes > MAX_DESCRIBED_BYTES)
    throw unread(
      `The service reads no watermark from a file of more than ${MAX_DESCRIBED_BYTES} bytes.`,
      'tooLarge',
    );
  return demuxer === undefined ? soundReader(file) : compressedReader(deps, { file, demuxer });
}

function soundReader({ path, digests: { sizeBytes } }: StagedMedia): Reader {
  const memoryBytes = memoryToMarkSound(sizeBytes);
  return {
    as: 'sound',
    kind: 'search',
    memoryBytes,
    read: () => readFilePart(path, 0, sizeBytes),
  };
}

/** The decoder takes a slot for videos, because these slots limit the number of decoders. */
function compressedReader(
  { matching: { ffmpeg } }: RecordDeps,
  { file, demuxer }: { file: StagedMedia; demuxer: string },
): Reader {
  if (ffmpeg === undefined) throw unread(`${notRead(file)} The operator can install ffmpeg.`);
  const sound = { path: file.path, demuxer, limitMs: DECODER_LIMIT_MS };
  return {
    ...{ as: 'samples', kind: 'video', limitMs: COMPRESSED_LIMIT_MS },
    memoryBytes: DECODER_BYTES + memoryToMarkSound(MAX_SAMPLES_BYTES),
    async read(signal) {
      const samples = await readSamples(ffmpeg, { ...sound, signal });
      if (samples.length === 0)
        throw unread('The sound cannot be decoded: it is damaged or cut short.', 'unreadable');
      return samples;
    },
  };
}

/** The watermark of a video is a picture mark in all of its frames. */
function videoReader(
  { matching: { ffmpeg } }: RecordDeps,
  { file, demuxer }: { file: StagedMedia; demuxer: string },
): Reader {
  if (ffmpeg === undefined) throw unread(`${notRead(file)} The operator can install ffmpeg.`);
  const video = { path: file.path, demuxer, limitMs: DECODER_LIMIT_MS };
  return {
    ...{ as: 'frames', kind: 'video', limitMs: COMPRESSED_LIMIT_MS },
    memoryBytes: DECODER_BYTES + SAMPLES_BYTES,
    read: async (signal) => (await sampleFrames(ffmpeg, { ...video, signal })).output,
  };
}

async function pictureReader(deps: RecordDeps, file: StagedMedia): Promise<Reader> {
  if (file.mediaType.startsWith('audio/')) throw unread(notRead(file));
  const queried = toQueried(deps, file);
  const { kind } = queried;
  if (kind !== 'image' && kind !== 'heif') throw unread(notRead(file));
  if (!(await holdPictureLibrary())) throw unread('Pictures cannot be decoded on this platform.');
  const memoryBytes = deps.matching.modelBytes + (await memoryToDescribe(deps.matching, queried));
  const read = () => readFilePart(file.path, 0, file.digests.sizeBytes);
  return { as: kind, kind: 'search', memoryBytes, read };
}

const notRead = ({ mediaType }: StagedMedia) => `The service reads no watermark from ${mediaType}.`;

function unread(reason: string, checkCode: CheckCode = 'unsupported'): FileRejection {
  return new FileRejection(checkCode, { code: 'Unsupported', message: reason });
}
