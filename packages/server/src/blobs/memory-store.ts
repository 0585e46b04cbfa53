import { ServiceError } from '../errors.js';
import type { BlobRef, BlobStore, BlobWriter, ByteRange, StoredBlob } from './blob-store.js';

type Chunks = readonly Uint8Array[];

/** Two tenants of a service cannot fill it together. */
export const SHARED = { projectShare: 1 / 2 };

/**
 * Keeps bytes in memory, at most `capacityBytes` of them in all; they are gone when the process ends. A project holds at
 * most `projectShare` of what the others leave: below 1, there is always room for another project. Where room is lacking,
 * released content is forgotten: the project's own before that of others, and what was read longest ago first.
 */
export function createMemoryStore(capacityBytes: number, { projectShare = 1 } = {}): BlobStore {
  const contents = new Map<string, StoredBlob & { chunks: Chunks }>();
  const room = createRoom(capacityBytes, projectShare);
  const released = createReleased();

  function forget(ref: BlobRef): void {
    const key = keyOf(ref);
    room.count(ref.projectId, -(contents.get(key)?.sizeBytes ?? 0));
    contents.delete(key);
    released.delete(ref);
  }

  function reserve(projectId: string, sizeBytes: number): void {
    if (!room.isFor(projectId, sizeBytes))
      for (const ref of released.inOrderFor(projectId)) {
        forget(ref);
        if (room.isFor(projectId, sizeBytes)) break;
      }
    if (!room.isFor(projectId, sizeBytes)) throw room.toFull(projectId);
    room.count(projectId, sizeBytes);
  }

  function createWriter(projectId: string): BlobWriter {
    let blocks = createBlocks();
    const discard = async () => {
      room.count(projectId, -blocks.sizeBytes());
      blocks = createBlocks();
    };
    return {
      async write(chunk) {
        reserve(projectId, chunk.length);
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
      const { projectId, contentDigest } = ref;
      reserve(projectId, bytes.length);
      const facts = { projectId, contentDigest, sizeBytes: bytes.length, storedAt: new Date() };
      contents.set(key, { ...facts, chunks: [new Uint8Array(bytes)] });
    },
    readSize: async (ref) => contents.get(keyOf(ref))?.sizeBytes,
    async readContent(ref, range) {
      // To the end of the line.
      if (released.delete(ref)) released.add(ref);
      const content = contents.get(keyOf(ref));
      return content && slice(content.chunks, range ?? { start: 0, end: content.sizeBytes - 1 });
    },
    async *listContents() {
      yield* contents.values();
    },
    remove: async (ref) => forget(ref),
    release(ref) {
      if (contents.has(keyOf(ref))) released.add(ref);
    },
    async check() {},
    async close() {
      contents.clear();
      released.clear();
      room.clear();
    },
  };
}

/** What each project holds, and may hold. */
function createRoom(capacityBytes: number, projectShare: number) {
  const usedBy = new Map<string, number>();
  let usedBytes = 0;
  const usedOf = (projectId: string) => usedBy.get(projectId) ?? 0;
  const mostOf = (projectId: string) =>
    Math.floor((capacityBytes - usedBytes + usedOf(projectId)) * projectShare);
  return {
    isFor: (projectId: string, sizeBytes: number) => usedOf(projectId) + sizeBytes <= mostOf(projectId),
    count(projectId: string, sizeBytes: number): void {
      usedBytes += sizeBytes;
      const used = usedOf(projectId) + sizeBytes;
      if (used > 0) usedBy.set(projectId, used);
      else usedBy.delete(projectId);
    },
    toFull: (projectId: string) =>
      new ServiceError(
        'PayloadTooLarge',
        `This project holds ${usedOf(projectId)} bytes in memory, and may hold ${mostOf(projectId)}: a share of what other projects leave of ${capacityBytes} (MEMORY_STORE_BYTES).`,
        {
          bound: 'MEMORY_STORE_BYTES',
          recovery:
            'Have the operator set DATA_DIR to keep bytes in a directory, or raise MEMORY_STORE_BYTES.',
        },
      ),
    clear(): void {
      usedBy.clear();
      usedBytes = 0;
    },
  };
}

/** Content that may be forgotten, by project; of each, what was read longest ago comes first. */
function createReleased() {
  const byProject = new Map<string, Map<string, BlobRef>>();
  return {
    add(ref: BlobRef): void {
      const own = byProject.get(ref.projectId) ?? new Map<string, BlobRef>();
      byProject.set(ref.projectId, own.set(ref.contentDigest, ref));
    },
    delete(ref: BlobRef): boolean {
      const own = byProject.get(ref.projectId);
      const isThere = own?.delete(ref.contentDigest) ?? false;
      if (own?.size === 0) byProject.delete(ref.projectId);
      return isThere;
    },
    /** The project's own before that of others. */
    *inOrderFor(projectId: string): Generator<BlobRef> {
      yield* byProject.get(projectId)?.values() ?? [];
      for (const one of byProject.values()) yield* one.values();
    },
    clear: () => byProject.clear(),
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
