import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type ContentDigests, createContentHasher } from '@colophon/model';
import type { BlobStore } from '../../blobs/blob-store.js';
import { type CreateStreamHasher, createInlineHasher } from '../../blobs/hashing/stream-hasher.js';
import { SNIFFED_BYTES, sniffMediaType } from '../../media/sniff-media-type.js';

/** Completely received content, in the store or in memory. The caller commits or discards it. */
export interface StagedUpload {
  digests: ContentDigests;
  mimeType: string;
  /** Set for small content, so that nothing reads it back from the store. */
  bytes?: Uint8Array;
  /** The bytes are durable when the promise resolves. */
  commit(): Promise<void>;
  /** Has no effect after the commit. */
  discard(): Promise<void>;
}

/** `createHasher` by default hashes in the calling thread. */
export interface StagingOptions {
  blobs: BlobStore;
  projectId: string;
  createHasher?: CreateStreamHasher | undefined;
  /** Upper bound of the size, if known. */
  expectedBytes?: number | undefined;
}

/** Memory use does not grow with the content. A rejected call leaves nothing in the store. */
export async function stageUpload(
  { blobs, projectId, createHasher = createInlineHasher, expectedBytes }: StagingOptions,
  source: AsyncIterable<Uint8Array>,
): Promise<StagedUpload> {
  const writer = await blobs.createWriter(projectId);
  const hasher = createHasher(expectedBytes, projectId);
  try {
    const head = Buffer.alloc(SNIFFED_BYTES);
    let headBytes = 0;
    for await (const chunk of source) {
      if (headBytes < SNIFFED_BYTES) {
        const sample = chunk.subarray(0, SNIFFED_BYTES - headBytes);
        head.set(sample, headBytes);
        headBytes += sample.length;
      }
      await writer.write(chunk);
      await hasher.take(chunk);
    }
    const mimeType = await sniffMediaType(head.subarray(0, headBytes));
    const digests = await hasher.finish();
    const commit = () => writer.commit(digests.contentDigest);
    return { digests, mimeType, commit, discard: () => writer.discard() };
  } catch (error) {
    hasher.discard();
    await writer.discard();
    throw error;
  }
}

/** Stages small content in memory. Only the commit writes to the store. */
export async function stageBytes(
  { blobs, projectId }: Pick<StagingOptions, 'blobs' | 'projectId'>,
  bytes: Uint8Array,
): Promise<StagedUpload> {
  const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
  hasher.update(bytes);
  const digests = hasher.finish();
  const mimeType = await sniffMediaType(bytes.subarray(0, SNIFFED_BYTES));
  const commit = () => blobs.put({ projectId, contentDigest: digests.contentDigest }, bytes);
  return { digests, mimeType, bytes, commit, discard: async () => {} };
}

/** Larger than the default of Node.js (64 KiB), for fewer reads. */
const BLOCK_BYTES = 2 ** 18;

export async function stageFile(
  { blobs, createHasher }: Pick<StagingOptions, 'blobs' | 'createHasher'>,
  projectId: string,
  file: string,
): Promise<StagedUpload> {
  const { size: expectedBytes } = await stat(file);
  const bytes = createReadStream(file, { highWaterMark: BLOCK_BYTES });
  return stageUpload({ blobs, projectId, createHasher, expectedBytes }, bytes);
}
