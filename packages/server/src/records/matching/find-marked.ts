import { readFile } from 'node:fs/promises';
import { toImageMarkBinding } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { memoryToDescribe } from './describe-content.js';
import { listBoundAnywhere } from './image-marks.sql.js';
import { toQueried } from './search-file.js';
import { digestIssuedMark } from './soft-binding.js';

/** `tenant` waits in the fair queue. It gets a slot when no task with a waiting caller is left. */
interface MarkedQuery {
  file: StagedMedia;
  tenant: string;
  signal: AbortSignal;
}

/**
 * Finds the content of all projects to which the watermark of a picture points. Show it only to callers who may see it.
 * A watermark can be copied to another picture. Throws when the service does not decode the file.
 */
export async function findMarked(
  deps: RecordDeps,
  { file, tenant, signal }: MarkedQuery,
): Promise<{ projectId: string; cid: string }[]> {
  const queried = toQueried(deps, file);
  const { kind } = queried;
  if (kind !== 'image' && kind !== 'heif')
    throw unread(`The service reads no watermark from ${file.mediaType}.`);
  if (!(await holdPictureLibrary())) throw unread('Pictures cannot be decoded on this platform.');
  const memoryBytes = await memoryToDescribe(deps.matching, queried);
  const turn = { kind: 'search', projectId: tenant, isBackground: true, signal, memoryBytes } as const;
  const payload = await deps.scheduler.run(turn, async (running, hold) => {
    const bytes = await readFile(file.path);
    const answer = await deps.matching.pool.run(
      { kind: 'readMark', as: kind, bytes },
      { signal: running, hold },
    );
    if (answer.kind === 'unread') throw unread(answer.reason);
    if (answer.kind !== 'read') throw new Error(`The search thread returned "${answer.kind}"`);
    return answer.payload;
  });
  if (payload === undefined) return [];
  return listBoundAnywhere(deps.reads, digestIssuedMark(toImageMarkBinding(payload)));
}

function unread(reason: string): ServiceError {
  return new ServiceError('Unsupported', reason);
}
