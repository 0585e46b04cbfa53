import type { BlobStore } from '../../blobs/blob-store.js';
import { ServiceError } from '../../errors.js';
import type { Database, Queryable } from '../../platform/db/database.js';
import type { JobHandler } from '../../platform/jobs/run-jobs.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { isDescribable, KINDS, kindOf, type Method, namePart, nothingBy } from '../../search/descriptor.js';
import { type DescriptorText, toDescriptorText } from '../../search/descriptor-text.js';
import { type DescriptorRow, hasDescriptor, readExact } from '../../search/descriptors.sql.js';
import type { Description } from '../../search/worker/protocol.js';
import type { Copies } from '../pinning/copies.js';
import { decodeVideo } from './decode-video.js';
import type { MatchingDeps } from './deps.js';
import { describeStored, toUndescribed, turnToDescribe } from './describe-content.js';
import { keepDescriptors } from './keep-descriptor.js';

interface DescribeJobDeps {
  provenance: Database;
  blobs: BlobStore;
  copies: Pick<Copies, 'ensureStored' | 'has'>;
  matching: Pick<MatchingDeps, 'pool' | 'kinds' | 'index' | 'maxPictureBytes' | 'ffmpeg'>;
  scheduler: Scheduler;
}

interface Payload {
  cid: string;
  contentDigest: string;
  mimeType: string;
  sizeBytes: number;
}

/** Creates the job handler that describes content without a description. A repeated run changes nothing. */
export function createDescribeHandler(deps: DescribeJobDeps): JobHandler {
  const { provenance, blobs, copies, matching, scheduler } = deps;
  return async ({ projectId, payload }, signal) => {
    const { cid, ...stored } = payload as Payload;
    const kind = kindOf(stored.mimeType);
    // A node with the decoder describes the content, or this node after the installation.
    if (kind === undefined || !matching.kinds.has(kind)) return;
    const { method } = KINDS[kind];
    if (await hasDescriptor(provenance, projectId, { method, cid })) return;
    const ref = { projectId, contentDigest: stored.contentDigest };
    await copies.ensureStored(ref, cid, signal);
    const background = { projectId, signal, isBackground: true };
    const video = { mediaType: stored.mimeType, source: { blobs, stored: { projectId, ...stored } } };
    const frames = isDescribable(kind, stored.sizeBytes)
      ? await decodeVideo(deps, video, background)
      : undefined;
    const content = toUndescribed(blobs, kind, { projectId, ...stored });
    const turn = { ...(await turnToDescribe(matching, content)), ...background };
    const described = scheduler.run(turn, (signal, hold) =>
      describeStored({ matching, blobs }, { projectId, ...stored, frames }, { signal, hold }),
    );
    const description = await described.catch(skipOnTimeout);
    const descriptor = toDescriptor(method, description);
    if (descriptor === undefined) {
      if ((await blobs.readSize(ref)) === undefined && (await copies.has(projectId, cid)))
        throw new Error('the store lost the bytes before the job ran');
      return;
    }
    const rows = [
      { cid, ...descriptor },
      ...(await toFurtherRows(provenance, projectId, { cid, description })),
    ];
    await keepDescriptors({ db: provenance, index: matching.index }, projectId, rows);
  };
}

/** Returns the further descriptors of a content. Those of its parts have the canonical CID in their names. */
async function toFurtherRows(
  db: Queryable,
  projectId: string,
  { cid, description }: { cid: string; description: Description },
): Promise<DescriptorRow[]> {
  if (description.kind !== 'described' || description.further === undefined) return [];
  const canonical = (await readExact(db, projectId, [cid]))?.cid ?? cid;
  return description.further.map(({ part, ...text }) => ({
    ...text,
    cid: part === undefined ? canonical : namePart(canonical, part),
  }));
}

/** Returns the descriptor to store; undefined when a later attempt may succeed. */
export function toDescriptor(method: Method, description: Description): DescriptorText | undefined {
  if (description.kind === 'described') return description.text;
  return description.isPassing === true ? undefined : toDescriptorText(nothingBy(method));
}

/** Treats a timeout as final, since the next attempt would take as long. */
function skipOnTimeout(error: unknown): Description {
  if (error instanceof ServiceError && error.code === 'Timeout')
    return { kind: 'nothing', reason: error.message };
  throw error;
}
