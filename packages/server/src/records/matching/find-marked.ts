import { readFile } from 'node:fs/promises';
import { type StoredSoftBinding, toImageMarkBinding, toSoundMarkBinding } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import { MARKABLE_SOUND, memoryToMarkSound } from '../../search/sound-mark.js';
import type { ReadMarkTask } from '../../search/worker/protocol.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { memoryToDescribe } from './describe-content.js';
import { listBoundAnywhere } from './image-marks.sql.js';
import { toQueried } from './search-file.js';
import { digestIssuedMark } from './soft-binding.js';

/** `tenant`: name in the fair queue. The task gets a slot only when no task with a waiting caller is queued. */
interface MarkedQuery {
  file: StagedMedia;
  tenant: string;
  signal: AbortSignal;
}

/** How the service reads the watermark of a file. */
interface Reader {
  as: ReadMarkTask['as'];
  memoryBytes: number;
  toBinding(payload: bigint): StoredSoftBinding;
}

/**
 * Finds the content, in all projects, that the watermark of a file identifies. Show it only to callers who may see it.
 * The result proves nothing, because a watermark can be copied to another file. Throws `Unsupported` when the service
 * cannot read watermarks from the file.
 */
export async function findMarked(
  deps: RecordDeps,
  { file, tenant, signal }: MarkedQuery,
): Promise<{ projectId: string; cid: string }[]> {
  const { as, memoryBytes, toBinding } = MARKABLE_SOUND.test(file.mediaType)
    ? soundReader(file)
    : await pictureReader(deps, file);
  const background = { isBackground: true, canRestart: true, signal };
  const turn = { ...background, kind: 'search', projectId: tenant, memoryBytes } as const;
  const payload = await deps.scheduler.run(turn, async (running, hold) => {
    const bytes = await readFile(file.path);
    const answer = await deps.matching.pool.run({ kind: 'readMark', as, bytes }, { signal: running, hold });
    if (answer.kind === 'unread') throw unread(answer.reason);
    if (answer.kind !== 'read') throw new Error(`The search thread returned "${answer.kind}"`);
    return answer.payload;
  });
  if (payload === undefined) return [];
  return listBoundAnywhere(deps.reads, digestIssuedMark(toBinding(payload)));
}

function soundReader({ digests: { sizeBytes } }: StagedMedia): Reader {
  if (sizeBytes > MAX_DESCRIBED_BYTES)
    throw unread(`The service reads no watermark from a file of more than ${MAX_DESCRIBED_BYTES} bytes.`);
  return { as: 'sound', memoryBytes: memoryToMarkSound(sizeBytes), toBinding: toSoundMarkBinding };
}

async function pictureReader(deps: RecordDeps, file: StagedMedia): Promise<Reader> {
  if (file.mediaType.startsWith('audio/')) throw unread(notRead(file));
  const queried = toQueried(deps, file);
  const { kind } = queried;
  if (kind !== 'image' && kind !== 'heif') throw unread(notRead(file));
  if (!(await holdPictureLibrary())) throw unread('Pictures cannot be decoded on this platform.');
  const memoryBytes = await memoryToDescribe(deps.matching, queried);
  return { as: kind, memoryBytes, toBinding: toImageMarkBinding };
}

const notRead = ({ mediaType }: StagedMedia) => `The service reads no watermark from ${mediaType}.`;

function unread(reason: string): ServiceError {
  return new ServiceError('Unsupported', reason);
}
