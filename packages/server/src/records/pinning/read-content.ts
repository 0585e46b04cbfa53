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
  /** Calls `ready`, then opens the bytes. `chunkBytes`: as in `BlobStore.readContent`. */
  open(range?: ByteRange, chunkBytes?: number): Promise<AsyncIterable<Uint8Array>>;
}

interface ContentRequest {
  cid: string;
  signal?: AbortSignal | undefined;
}

/**
 * Finds the bytes of a CID in the store or at a pinning service. Rejects with `NotFound` when the project has recorded
 * no bytes of this CID, and with `Unavailable` when the bytes are lost or do not have the recorded size.
 */
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

/**
 * Opens the bytes as a CARv1 with the CID as root. The stream rejects if the bytes do not match the CID. When `signal`
 * aborts, the stream rejects before the next block.
 */
export type OpenCar = (
  content: Content,
  caller: { projectId: string; signal: AbortSignal },
) => Promise<AsyncIterable<Uint8Array>>;

/**
 * Creates the function that opens CARs. It hashes one block at a time, and the projects take turns. WebCrypto hashes in
 * the threads that also read and write files. Hashing several blocks at the same time would delay all requests that
 * need these threads.
 */
export function createOpenCar(): OpenCar {
  const limitHashing = createFairLimit({ atOnce: 1 });
  return async (content, { projectId, signal }) => {
    const bytes = await content.open();
    // If the caller has disconnected, nobody reads the CAR. The bytes are closed here, because only the reader of a CAR
    // closes them otherwise.
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

/** Returns the error for recorded bytes that the store does not have. */
export function lost(cid: string): ServiceError {
  return new ServiceError('Unavailable', `The bytes of ${cid} are missing from the store.`, {
    recovery: 'Upload the same content again: its bytes are restored under the same CID.',
  });
}
