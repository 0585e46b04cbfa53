import { createHash } from 'node:crypto';
import { type ContentDigests, createContentHasher } from '@colophon/model';
import type { BlobStore, BlobWriter } from '../blobs/blob-store.js';
import { SNIFFED_BYTES, sniffMediaType } from '../media/sniff-media-type.js';

/** Content that was received whole and waits in the store to be recorded or discarded. */
export interface StagedUpload {
  digests: ContentDigests;
  mimeType: string;
  writer: BlobWriter;
  /** Forgets the bytes, unless they were committed. */
  discard(): Promise<void>;
}

/**
 * Streams content into the store, hashing on the way; memory does not grow with its size.
 * Rejects, leaving nothing behind, when the source fails before its end.
 */
export async function stageUpload(
  blobs: BlobStore,
  projectId: string,
  source: AsyncIterable<Uint8Array>,
): Promise<StagedUpload> {
  const writer = await blobs.createWriter(projectId);
  try {
    const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
    const head = Buffer.alloc(SNIFFED_BYTES);
    let headBytes = 0;
    for await (const chunk of source) {
      if (headBytes < SNIFFED_BYTES) {
        const sample = chunk.subarray(0, SNIFFED_BYTES - headBytes);
        head.set(sample, headBytes);
        headBytes += sample.length;
      }
      hasher.update(chunk);
      await writer.write(chunk);
    }
    const mimeType = await sniffMediaType(head.subarray(0, headBytes));
    return { digests: hasher.finish(), mimeType, writer, discard: () => writer.discard() };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
