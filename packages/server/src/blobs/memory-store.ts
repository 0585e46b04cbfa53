import { setImmediate as letOthersRun } from 'node:timers/promises';
import { ServiceError } from '../errors.js';
import { addToCount } from '../platform/work/add-to-count.js';
import type { BlobRef, BlobStore, BlobWriter, ByteRange, StoredBlob } from './blob-store.js';

type Chunks = readonly Uint8Array[];

export const HALF_OF_THE_REST = { projectShare: 1 / 2 };

/**
 * Stores bytes in memory, up to `capacityBytes`, until the process ends. A project may use at most `projectShare` of
 * the space that other projects do not use. Below 1, other projects always find space. When a write needs space, the
 * store evicts released content, first the released content of the same project.
 */
export function createMemoryStore(capacityBytes: number, { projectShare = 1 } = {}): BlobStore {
  const contents = new Map<string, StoredBlob & { chunks: Chunks }>();
  const documents = new Map<string, Buffer>();
  const released = createReleased();
  const room = createRoom({ capacityBytes, projectShare }, released.sizes);

  function forget(ref: BlobRef): void {
    const key = keyOf(ref);
    room.count(ref.projectId, -(contents.get(key)?.sizeBytes ?? 0));
    contents.delete(key);
    released.delete(ref);
  }

  function reserve(projectId: string, sizeBytes: number): void {
    const isFree = () => room.isFor(projectId, sizeBytes) && !room.isFull(sizeBytes);
    for (const ref of released.of(projectId)) {
      if (isFree()) break;
      forget(ref);
    }
    if (!room.isFor(projectId, sizeBytes)) throw room.toFull(projectId);
    for (const ref of released.ofOthers(projectId)) {
      if (isFree()) break;
      forget(ref);
    }
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
      const content = contents.get(keyOf(ref));
      // Moves the content to the end of the eviction queue.
      if (content !== undefined && released.delete(ref)) released.add(content);
      return content && slice(content.chunks, range ?? { start: 0, end: content.sizeBytes - 1 });
    },
    async *listContents() {
      yield* contents.values();
    },
    readDocument: async (name) => documents.get(name),
    writeDocument: async (name, bytes) => void documents.set(name, Buffer.from(bytes)),
    removeDocument: async (name) => void documents.delete(name),
    remove: async (ref) => forget(ref),
    release(ref) {
      const content = contents.get(keyOf(ref));
      if (content !== undefined) released.add(content);
    },
    async check() {},
    async close() {
      contents.clear();
      released.clear();
      room.clear();
    },
  };
}

function createSizes() {
  const byProject = new Map<string, number>();
  let sum = 0;
  return {
    of: (projectId: string) => byProject.get(projectId) ?? 0,
    ofOthers: (projectId: string) => sum - (byProject.get(projectId) ?? 0),
    sum: () => sum,
    add(projectId: string, change: number): void {
      sum += change;
      addToCount(byProject, projectId, change);
    },
    clear(): void {
      byProject.clear();
      sum = 0;
    },
  };
}

type Sizes = ReturnType<typeof createSizes>;

/** Computes how many bytes each project stores and may store. */
function createRoom(
  { capacityBytes, projectShare }: { capacityBytes: number; projectShare: number },
  released: Sizes,
) {
  const used = createSizes();
  const mostOf = (projectId: string) =>
    Math.floor((capacityBytes - used.ofOthers(projectId) + released.ofOthers(projectId)) * projectShare);
  return {
    isFor: (projectId: string, sizeBytes: number) => used.of(projectId) + sizeBytes <= mostOf(projectId),
    isFull: (moreBytes: number) => used.sum() + moreBytes > capacityBytes,
    count: used.add,
    toFull: (projectId: string) =>
      new ServiceError(
        'PayloadTooLarge',
        `This project holds ${used.of(projectId)} bytes in memory. The limit is ${mostOf(projectId)} bytes: half of the part of ${capacityBytes} bytes (MEMORY_STORE_BYTES) that other projects do not use.`,
        {
          bound: 'MEMORY_STORE_BYTES',
          recovery:
            'Have the operator set DATA_DIR to keep bytes in a directory, or raise MEMORY_STORE_BYTES.',
        },
      ),
    clear: used.clear,
  };
}

/** Least recently read first. */
function createReleased() {
  const byProject = new Map<string, Map<string, StoredBlob>>();
  const sizes = createSizes();
  function remove({ projectId, contentDigest }: BlobRef): boolean {
    const own = byProject.get(projectId);
    const content = own?.get(contentDigest);
    if (content === undefined) return false;
    own?.delete(contentDigest);
    if (own?.size === 0) byProject.delete(projectId);
    sizes.add(projectId, -content.sizeBytes);
    return true;
  }
  return {
    sizes,
    add(content: StoredBlob): void {
      remove(content);
      const own = byProject.get(content.projectId) ?? new Map<string, StoredBlob>();
      byProject.set(content.projectId, own.set(content.contentDigest, content));
      sizes.add(content.projectId, content.sizeBytes);
    },
    delete: remove,
    *of(projectId: string): Generator<BlobRef> {
      yield* byProject.get(projectId)?.values() ?? [];
    },
    *ofOthers(projectId: string): Generator<BlobRef> {
      for (const [id, one] of byProject) if (id !== projectId) yield* one.values();
    },
    clear(): void {
      byProject.clear();
      sizes.clear();
    },
  };
}

const BLOCK_BYTES = 65_536;

/** Collects chunks in large blocks, because a separate buffer for a small chunk needs more memory than the chunk. */
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

  /** Doubles the last block until it has its full size, so that small content needs little memory. */
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

/** Number of bytes that a read yields before it lets other requests run. */
const SLICE_BYTES = 2 ** 20;

async function* slice(chunks: Chunks, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let offset = 0;
  let yielded = 0;
  for (const chunk of chunks) {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end + 1 - offset, chunk.length);
    offset += chunk.length;
    if (from >= to) continue;
    yield chunk.subarray(from, to);
    yielded += to - from;
    if (yielded < SLICE_BYTES) continue;
    yielded = 0;
    await letOthersRun();
  }
}
