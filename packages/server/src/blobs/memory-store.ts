import { ServiceError } from '../errors.js';
import type { BlobRef, BlobStore, BlobWriter, ByteRange, StoredBlob } from './blob-store.js';

type Chunks = readonly Uint8Array[];

/** Keeps bytes in memory, at most `capacityBytes` of them in all; they are gone when the process ends. */
export function createMemoryStore(capacityBytes: number): BlobStore {
  const contents = new Map<string, StoredBlob & { chunks: Chunks }>();
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
    let blocks = createBlocks();
    const discard = async () => {
      usedBytes -= blocks.sizeBytes();
      blocks = createBlocks();
    };
    return {
      async write(chunk) {
        reserve(chunk.length);
        blocks.append(chunk);
      },
      async commit(contentDigest) {
        const key = keyOf({ projectId, contentDigest });
        if (contents.has(key)) return discard();
        const facts = { projectId, contentDigest, sizeBytes: blocks.sizeBytes(), storedAt: new Date() };
        contents.set(key, { ...facts, chunks: blocks.take() });
        blocks = createBlocks();
      },
      discard,
    };
  }

  return {
    durable: false,
    createWriter: async (projectId) => createWriter(projectId),
    async put(ref, bytes) {
      const key = keyOf(ref);
      if (contents.has(key)) return;
      reserve(bytes.length);
      const { projectId, contentDigest } = ref;
      const facts = { projectId, contentDigest, sizeBytes: bytes.length, storedAt: new Date() };
      contents.set(key, { ...facts, chunks: [new Uint8Array(bytes)] });
    },
    readSize: async (ref) => contents.get(keyOf(ref))?.sizeBytes,
    async readContent(ref, range) {
      const content = contents.get(keyOf(ref));
      return content && slice(content.chunks, range ?? { start: 0, end: content.sizeBytes - 1 });
    },
    async *listContents() {
      yield* contents.values();
    },
    async remove(ref) {
      usedBytes -= contents.get(keyOf(ref))?.sizeBytes ?? 0;
      contents.delete(keyOf(ref));
    },
    async check() {},
    async close() {
      contents.clear();
      usedBytes = 0;
    },
  };
}

const BLOCK_BYTES = 65_536;

/** Collects bytes in blocks: content that comes byte by byte takes no more memory than its size. */
function createBlocks() {
  const full: Uint8Array[] = [];
  let block = new Uint8Array(0);
  let fill = 0;
  return {
    sizeBytes: () => full.length * BLOCK_BYTES + fill,
    append(chunk: Uint8Array) {
      for (let rest = chunk; rest.length > 0; ) {
        if (fill === block.length) grow();
        const part = rest.subarray(0, block.length - fill);
        block.set(part, fill);
        fill += part.length;
        rest = rest.subarray(part.length);
      }
    },
    take: (): Chunks => [...full, block.slice(0, fill)],
  };

  /** The last block doubles until it has its full size, so that small content stays small. */
  function grow(): void {
    if (fill === BLOCK_BYTES) {
      full.push(block);
      fill = 0;
      block = new Uint8Array(BLOCK_BYTES);
      return;
    }
    const larger = new Uint8Array(Math.min(Math.max(block.length * 2, 1024), BLOCK_BYTES));
    larger.set(block.subarray(0, fill));
    block = larger;
  }
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
