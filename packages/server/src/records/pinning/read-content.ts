import { createHash, webcrypto } from 'node:crypto';
import { Readable } from 'node:stream';
import { createCar } from '@colophon/model';
import type { BlobStore, ByteRange } from '../../blobs/blob-store.js';
import { AlteredContentError } from '../../blobs/verify-content.js';
import { ServiceError } from '../../errors.js';
import type { Queryable } from '../../platform/db/database.js';
import { createFairLimit } from '../../platform/work/limit-concurrency.js';
import { absent } from '../read/absent.js';
import { readStoredContent } from '../read/records.sql.js';
import type { Copies } from './copies.js';

export interface Content {
  cid: string;
  contentDigest: string;
  mimeType: string;
  sizeBytes: number;
  /** If the store lacks the bytes, restores them from a pinned copy. */
  ready(): Promise<void>;
  /** Calls `ready` first. `chunkBytes`: as in `BlobStore.readContent`. */
  open(range?: ByteRange, chunkBytes?: number): Promise<AsyncIterable<Uint8Array>>;
}

interface ContentRequest {
  cid: string;
  signal?: AbortSignal | undefined;
}

/** Rejects with `NotFound` without recorded bytes, and with `Unavailable` when they are lost or have another size. */
export async function requireContent(
  { provenance, blobs, copies }: { provenance: Queryable; blobs: BlobStore; copies: Copies },
  projectId: string,
  { cid, signal }: ContentRequest,
): Promise<Content> {
  const stored = await readStoredContent(provenance, projectId, cid);
  if (stored === undefined) throw absent('content', cid, `No bytes of ${cid} are stored in this project.`);
  const ref = { projectId, contentDigest: stored.contentDigest };
  const sizeBytes = await blobs.readSize(ref);
  if (sizeBytes === undefined && !(await copies.has(projectId, stored.cid))) throw lost(stored.cid);
  if (sizeBytes !== undefined && sizeBytes !== stored.sizeBytes)
    throw new AlteredContentError(stored.contentDigest);
  const ready = async () => {
    // A store that is not durable may have lost the bytes since the check above.
    if (sizeBytes !== undefined && blobs.durable) return;
    if ((await blobs.readSize(ref)) === undefined) await copies.restore({ ...stored, ref }, signal);
  };
  return {
    ...stored,
    ready,
    async open(range, chunkBytes) {
      await ready();
      const stream = await blobs.readContent(ref, range, chunkBytes);
      if (stream === undefined) throw lost(stored.cid);
      return stream;
    },
  };
}

/** The CAR (CARv1) has the CID as root. The stream rejects if the bytes do not match it, or when `signal` aborts. */
export type OpenCar = (
  content: Content,
  caller: { projectId: string; signal: AbortSignal },
) => Promise<AsyncIterable<Uint8Array>>;

/** Hashes one block at a time, because WebCrypto hashes in the threads that also read and write files. */
export function createOpenCar(): OpenCar {
  const limitHashing = createFairLimit({ atOnce: 1 });
  return async (content, { projectId, signal }) => {
    const bytes = await content.open();
    // Only the reader of a CAR closes the bytes, and nobody reads it when the caller has disconnected.
    if (signal.aborted && bytes instanceof Readable) bytes.destroy();
    signal.throwIfAborted();
    return createCar(bytes, content.cid, {
      createSha256: () => createHash('sha256'),
      digestLeaf: (leaf) =>
        limitHashing(
          projectId,
          async () =>
            new Uint8Array(await webcrypto.subtle.digest('SHA-256', leaf as Uint8Array<ArrayBuffer>)),
          signal,
        ),
    });
  };
}

export function lost(cid: string): ServiceError {
  return new ServiceError('Unavailable', `The bytes of ${cid} are missing from the store.`, {
    recovery: 'Upload the same content again: its bytes are restored under the same CID.',
  });
}
