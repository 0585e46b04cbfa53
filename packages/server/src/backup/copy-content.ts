import type { BlobRef, BlobStore } from '../blobs/blob-store.js';
import { verifyContent } from '../blobs/verify-content.js';

export interface CopiedContent {
  from: BlobStore;
  to: BlobStore;
  onProgress: (sizeBytes: number) => void;
}

/**
 * Copies a content unless the target already has it. Returns false when the source does not have it. Rejects when the
 * bytes do not match the digest.
 */
export async function copyContent({ from, to, onProgress }: CopiedContent, ref: BlobRef): Promise<boolean> {
  const sizeBytes = await to.readSize(ref);
  if (sizeBytes !== undefined) {
    onProgress(sizeBytes);
    return true;
  }
  const bytes = await from.readContent(ref);
  if (bytes === undefined) return false;
  const writer = await to.createWriter(ref.projectId);
  try {
    for await (const chunk of verifyContent(bytes, ref.contentDigest)) {
      await writer.write(chunk);
      onProgress(chunk.length);
    }
    await writer.commit(ref.contentDigest);
  } finally {
    await writer.discard();
  }
  return true;
}
