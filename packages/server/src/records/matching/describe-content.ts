import type { BlobRef, BlobStore } from '../../blobs/blob-store.js';
import { isDescribable, type Kind, kindOf } from '../../search/descriptor.js';
import { holdPictureLibrary } from '../../search/hold-picture-library.js';
import type { SearchPool } from '../../search/search-pool.js';
import type { Description } from '../../search/worker/protocol.js';

/** Content whose bytes are in the store. */
export interface StoredBytes extends BlobRef {
  mimeType: string;
  sizeBytes: number;
}

/** How content of this type and size is described; undefined when it is not. */
export function describableAs({ mimeType, sizeBytes }: Omit<StoredBytes, keyof BlobRef>): Kind | undefined {
  const kind = kindOf(mimeType);
  return kind !== undefined && isDescribable(kind, sizeBytes) ? kind : undefined;
}

/** The description of bytes in memory. Rejects with `Timeout` or `Unavailable`. */
export async function describeBytes(pool: SearchPool, kind: Kind, bytes: Uint8Array): Promise<Description> {
  if (kind !== 'text' && !(await holdPictureLibrary()))
    return { kind: 'nothing', reason: 'Pictures cannot be decoded on this platform.' };
  const answer = await pool.run({ kind: 'describe', as: kind, bytes });
  if (answer.kind === 'checked') throw new Error('A description was answered with a check');
  return answer;
}

/** The description of stored content; `nothing` as well when its bytes are gone. */
export async function describeStored(
  { pool, blobs }: { pool: SearchPool; blobs: BlobStore },
  stored: StoredBytes,
): Promise<Description> {
  const kind = describableAs(stored);
  if (kind === undefined) return { kind: 'nothing', reason: 'There is no method for content of this kind.' };
  const { projectId, contentDigest } = stored;
  const stream = await blobs.readContent({ projectId, contentDigest });
  if (stream === undefined) return { kind: 'nothing', reason: 'Its bytes are not in the store.' };
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return describeBytes(pool, kind, Buffer.concat(chunks));
}
