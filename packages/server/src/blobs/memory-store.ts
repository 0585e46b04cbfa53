import { ServiceError } from '../errors.js';
import type { BlobRef, BlobStore, BlobWriter, ByteRange } from './blob-store.js';

type Chunks = readonly Uint8Array[];

/** Keeps bytes in memory, at most `capacityBytes` of them in all; they are gone when the process ends. */
export function createMemoryStore(capacityBytes: number): BlobStore {
  const contents = new Map<string, { chunks: Chunks; sizeBytes: number }>();
  let usedBytes = 0;

  function reserve(sizeBytes: number): void {
    if (usedBytes + sizeBytes > capacityBytes) {
      throw new ServiceError('PayloadTooLarge', `The in-memory store is full (${capacityBytes} bytes).`, {
        recovery: 'Set DATA_DIR to keep bytes in a directory, or raise MEMORY_STORE_BYTES.',
      });
    }
    usedBytes += sizeBytes;
  }

  function createWriter(projectId: string): BlobWriter {
    let chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    const discard = async () => {
      usedBytes -= sizeBytes;
      sizeBytes = 0;
      chunks = [];
    };
    return {
      async write(chunk) {
        reserve(chunk.length);
        sizeBytes += chunk.length;
        chunks.push(new Uint8Array(chunk));
      },
      async commit(contentDigest) {
        const key = keyOf({ projectId, contentDigest });
        if (contents.has(key)) return discard();
        contents.set(key, { chunks, sizeBytes });
        sizeBytes = 0;
        chunks = [];
      },
      discard,
    };
  }

  return {
    durable: false,
    createWriter: async (projectId) => createWriter(projectId),
    readSize: async (ref) => contents.get(keyOf(ref))?.sizeBytes,
    async readContent(ref, range) {
      const content = contents.get(keyOf(ref));
      return content && slice(content.chunks, range ?? { start: 0, end: content.sizeBytes - 1 });
    },
    async close() {
      contents.clear();
      usedBytes = 0;
    },
  };
}

function keyOf({ projectId, contentDigest }: BlobRef): string {
  return `${projectId}/${contentDigest}`;
}

async function* slice(chunks: Chunks, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (const chunk of chunks) {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end + 1 - offset, chunk.length);
    if (from < to) yield chunk.subarray(from, to);
    offset += chunk.length;
  }
}
