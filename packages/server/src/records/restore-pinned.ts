import { createHash } from 'node:crypto';
import type { BlobRef } from '../blobs/blob-store.js';
import type { PinningNeeds } from './pin-content.js';

/**
 * Fetches content from the first service whose copy has the digest, and stores it in place of what is there. False
 * when no service has it; what is stored is then as it was.
 */
export async function restorePinned(
  { blobs, pinnerOf }: Pick<PinningNeeds, 'blobs' | 'pinnerOf'>,
  ref: BlobRef,
  pinned: Record<string, string>,
): Promise<boolean> {
  for (const [provider, pinnedAs] of Object.entries(pinned)) {
    const pinner = await pinnerOf(ref.projectId, provider);
    const copy = await pinner?.read(pinnedAs);
    if (copy === undefined) continue;
    const writer = await blobs.createWriter(ref.projectId);
    try {
      const hash = createHash('sha256');
      for await (const chunk of copy) {
        hash.update(chunk);
        await writer.write(chunk);
      }
      if (`sha256:${hash.digest('hex')}` !== ref.contentDigest) continue;
      await blobs.remove(ref);
      await writer.commit(ref.contentDigest);
      return true;
    } finally {
      await writer.discard();
    }
  }
  return false;
}
