import type { ContentDigests } from '@colophon/model';
import type { HashingTerms, StreamHasher } from '../../blobs/hashing/stream-hasher.js';
import { SNIFFED_BYTES, sniffMediaType } from '../../media/sniff-media-type.js';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';

/** A file that is looked for: its names, and its bytes in memory unless there are too many to describe. */
export interface StagedQuery {
  digests: ContentDigests;
  mimeType: string;
  bytes: Uint8Array | undefined;
  discard(): Promise<void>;
}

/** Receives a file, hashing on the way; memory is bounded by what can be described. */
export async function stageQuery(
  { createHasher, expectedBytes }: HashingTerms,
  source: AsyncIterable<Uint8Array>,
): Promise<StagedQuery> {
  const hasher = createHasher(expectedBytes);
  try {
    return await receive(hasher, source);
  } catch (error) {
    hasher.discard();
    throw error;
  }
}

async function receive(hasher: StreamHasher, source: AsyncIterable<Uint8Array>): Promise<StagedQuery> {
  let chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  let head: Uint8Array | undefined;
  for await (const chunk of source) {
    await hasher.update(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes <= MAX_DESCRIBED_BYTES) {
      chunks.push(chunk);
    } else if (chunks.length > 0) {
      head = Buffer.concat(chunks).subarray(0, SNIFFED_BYTES);
      chunks = [];
    }
  }
  const bytes = head === undefined ? Buffer.concat(chunks) : undefined;
  const mimeType = await sniffMediaType((head ?? bytes ?? Buffer.alloc(0)).subarray(0, SNIFFED_BYTES));
  return { digests: await hasher.finish(), mimeType, bytes, discard: async () => {} };
}
