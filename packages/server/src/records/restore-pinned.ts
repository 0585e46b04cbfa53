import { createHash } from 'node:crypto';
import type { BlobRef } from '../blobs/blob-store.js';
import type { PinningNeeds } from './pin-content.js';

/** Recorded content of which copies may be elsewhere: what each service calls its own. */
export interface PinnedContent {
  ref: BlobRef;
  sizeBytes: number;
  pinned: Record<string, string>;
}

/** Whether the bytes are back, and what kept services from giving theirs. */
export interface Restoration {
  isRestored: boolean;
  faults: string[];
}

type RestoreNeeds = Pick<PinningNeeds, 'blobs' | 'pinnerOf'>;

/**
 * Fetches content from the first service whose copy has the digest, and stores it in place of what is there. When no
 * service gives it, what is stored stays as it was.
 */
export async function restorePinned(needs: RestoreNeeds, content: PinnedContent): Promise<Restoration> {
  const faults: string[] = [];
  for (const provider of Object.keys(content.pinned)) {
    try {
      if (await restoreFrom(needs, content, provider)) return { isRestored: true, faults };
    } catch (error) {
      faults.push(`${provider}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { isRestored: false, faults };
}

async function restoreFrom(
  { blobs, pinnerOf }: RestoreNeeds,
  { ref, sizeBytes, pinned }: PinnedContent,
  provider: string,
): Promise<boolean> {
  const pinner = await pinnerOf(ref.projectId, provider);
  const copy = await pinner?.read(pinned[provider] ?? '');
  if (copy === undefined) return false;
  const writer = await blobs.createWriter(ref.projectId);
  try {
    const hash = createHash('sha256');
    let receivedBytes = 0;
    for await (const chunk of copy) {
      receivedBytes += chunk.length;
      // A copy is not believed to end.
      if (receivedBytes > sizeBytes) return false;
      hash.update(chunk);
      await writer.write(chunk);
    }
    if (`sha256:${hash.digest('hex')}` !== ref.contentDigest) return false;
    await blobs.remove(ref);
    await writer.commit(ref.contentDigest);
    return true;
  } finally {
    await writer.discard();
  }
}
