import type { BlobStore } from '../../blobs/blob-store.js';
import { ServiceError } from '../../errors.js';
import type { Database } from '../../platform/db/database.js';
import type { JobHandler } from '../../platform/jobs/run-jobs.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { KINDS, kindOf, type Method, nothingBy } from '../../search/descriptor.js';
import { type DescriptorText, toDescriptorText } from '../../search/descriptor-text.js';
import { hasDescriptor } from '../../search/descriptors.sql.js';
import type { Description } from '../../search/worker/protocol.js';
import type { Copies } from '../pinning/copies.js';
import type { MatchingDeps } from './deps.js';
import { describeStored, toUndescribed, turnToDescribe } from './describe-content.js';
import { keepDescriptor } from './keep-descriptor.js';

interface DescribeJobDeps {
  provenance: Database;
  blobs: BlobStore;
  copies: Pick<Copies, 'ensureStored' | 'has'>;
  matching: Pick<MatchingDeps, 'pool' | 'kinds' | 'index' | 'maxPictureBytes'>;
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
    if (kind === undefined) return;
    const { method } = KINDS[kind];
    if (await hasDescriptor(provenance, projectId, { method, cid })) return;
    const ref = { projectId, contentDigest: stored.contentDigest };
    await copies.ensureStored(ref, cid, signal);
    const content = toUndescribed(blobs, kind, { projectId, ...stored });
    const turn = { ...(await turnToDescribe(matching, content)), projectId, signal, isBackground: true };
    const described = scheduler.run(turn, (signal, hold) =>
      describeStored({ matching, blobs }, { projectId, ...stored }, { signal, hold }),
    );
    const description = await described.catch(skipOnTimeout);
    const descriptor = toDescriptor(method, description);
    if (descriptor === undefined) {
      if ((await blobs.readSize(ref)) === undefined && (await copies.has(projectId, cid)))
        throw new Error('the store lost the bytes before the job ran');
      return;
    }
    await keepDescriptor({ db: provenance, index: matching.index }, projectId, { cid, ...descriptor });
  };
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
