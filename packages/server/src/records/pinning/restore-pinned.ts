import type { BlobRef } from '../../blobs/blob-store.js';
import type { CreateStreamHasher } from '../../blobs/hashing/stream-hasher.js';
import { stageUpload } from '../draft/stage-upload.js';
import type { PinningDeps } from './pin-content.js';
import { FETCH_PACE, type FetchPace, type Progress, watchProgress } from './watch-progress.js';

/** `pinned`: the CID at each service. */
export interface PinnedContent {
  ref: BlobRef;
  sizeBytes: number;
  pinned: Record<string, string>;
}

export interface Restoration {
  isRestored: boolean;
  faults: string[];
}

type RestoreDeps = Pick<PinningDeps, 'blobs' | 'pinnerOf'> & {
  createHasher?: CreateStreamHasher;
  fetchPace?: FetchPace;
};

/** The first copy with the recorded digest replaces the stored bytes. Without such a copy, they stay unchanged. */
export async function restorePinned(
  deps: RestoreDeps,
  content: PinnedContent,
  signal?: AbortSignal,
): Promise<Restoration> {
  const faults: string[] = [];
  for (const provider of Object.keys(content.pinned)) {
    try {
      if (await restoreFrom(deps, content, { provider, signal })) return { isRestored: true, faults };
    } catch (error) {
      faults.push(`${provider}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { isRestored: false, faults };
}

async function restoreFrom(
  { blobs, pinnerOf, createHasher, fetchPace = FETCH_PACE }: RestoreDeps,
  { ref, sizeBytes, pinned }: PinnedContent,
  { provider, signal }: { provider: string; signal: AbortSignal | undefined },
): Promise<boolean> {
  const { projectId, contentDigest } = ref;
  const pinner = await pinnerOf(projectId, provider);
  const progress = watchProgress(fetchPace);
  try {
    const either = signal === undefined ? progress.signal : AbortSignal.any([signal, progress.signal]);
    const copy = await pinner?.read(pinned[provider] ?? '', either);
    if (copy === undefined) return false;
    const options = { blobs, projectId, createHasher, expectedBytes: sizeBytes };
    const staged = await stageUpload(options, counted(cutAfter(copy, sizeBytes), progress));
    try {
      if (staged.digests.contentDigest !== contentDigest) return false;
      await blobs.remove(ref);
      await staged.commit();
      return true;
    } finally {
      await staged.discard();
    }
  } finally {
    progress.end();
  }
}

async function* counted(copy: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const chunk of copy) {
    progress.count(chunk.length);
    yield chunk;
  }
  progress.end();
}

/** A service could send endless data. */
async function* cutAfter(copy: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let left = sizeBytes;
  for await (const chunk of copy) {
    // Reads the length first, because the receiver may transfer the memory of the chunk, which sets it to zero.
    left -= chunk.length;
    yield chunk;
    if (left < 0) return;
  }
}
