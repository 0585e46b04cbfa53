import type { BlobStore } from '../../blobs/blob-store.js';
import type { Database } from '../../db/database.js';
import { ServiceError } from '../../errors.js';
import type { JobHandler } from '../../jobs/run-jobs.js';
import { hasDescriptor, toDescriptorRow, writeDescriptor } from '../../search/descriptors.sql.js';
import type { SearchPool } from '../../search/search-pool.js';
import { describeStored } from './describe-content.js';

interface Needs {
  provenance: Database;
  blobs: BlobStore;
  pool: SearchPool;
}

interface Payload {
  cid: string;
  contentDigest: string;
  mimeType: string;
  sizeBytes: number;
}

/** Describes content that was recorded without a description. Safe to repeat. */
export function createDescribeHandler({ provenance, blobs, pool }: Needs): JobHandler {
  return async ({ projectId, payload }, signal) => {
    const { cid, ...stored } = payload as Payload;
    if (await hasDescriptor(provenance, projectId, cid)) return;
    const description = await orAborted(
      describeStored({ pool, blobs }, { projectId, ...stored }).catch(heedTimeout),
      signal,
    );
    if (description?.kind !== 'described') return;
    await writeDescriptor(provenance, projectId, toDescriptorRow(cid, description.described));
  };
}

/** Content that took too long once takes too long the next time. */
function heedTimeout(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'Timeout') return undefined;
  throw error;
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
