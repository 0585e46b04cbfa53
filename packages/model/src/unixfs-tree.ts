import type { CreateSha256 } from './sha256.js';
import { RAW_CODEC, sha256CidBytes } from './sha256-cid.js';
import { createFileNode, type FilePart, type TakeBlock } from './unixfs-node.js';

export interface UnixfsTree {
  addLeaf(digest: Uint8Array, sizeBytes: number): void;
  /** Returns the binary CIDv1. Call it once, after at least one leaf. */
  finish(): Uint8Array;
}

/** Memory holds at most `maxLinks` parts for each level. `takeNode` receives every node after its children. */
export function createUnixfsTree(
  maxLinks: number,
  createSha256: CreateSha256,
  takeNode?: TakeBlock,
): UnixfsTree {
  const levels: FilePart[][] = [];

  function sha256(block: Uint8Array): Uint8Array {
    const hash = createSha256();
    hash.update(block);
    return hash.digest();
  }

  function levelAt(height: number): FilePart[] {
    const level = levels[height] ?? [];
    levels[height] = level;
    return level;
  }

  function foldInto(height: number, parts: readonly FilePart[]): void {
    add(height, createFileNode(parts, sha256, takeNode));
  }

  function add(height: number, part: FilePart): void {
    const level = levelAt(height);
    // Fold a full level only when a further part arrives, so that exactly `maxLinks` parts get a single node.
    if (level.length === maxLinks) foldInto(height + 1, level.splice(0));
    level.push(part);
  }

  return {
    addLeaf(digest, sizeBytes) {
      const cidBytes = sha256CidBytes(RAW_CODEC, digest);
      add(0, { cidBytes, contentSizeBytes: sizeBytes, blocksSizeBytes: sizeBytes });
    },
    finish() {
      for (let height = 0; height < levels.length; height++) {
        const level = levelAt(height);
        const [first] = level;
        const isRoot = height === levels.length - 1 && level.length === 1;
        if (isRoot && first !== undefined) return first.cidBytes;
        foldInto(height + 1, level);
      }
      throw new Error('Expected at least one leaf');
    },
  };
}
