import { concatBytes } from '@noble/hashes/utils.js';
import { base32 } from 'multiformats/bases/base32';
import { UNIXFS_V1_2025 } from './content-hasher.js';
import { type CreateSha256, createNobleSha256 } from './sha256.js';
import { RAW_CODEC, sha256CidBytes } from './sha256-cid.js';
import { createUnixfsTree } from './unixfs-tree.js';

/** Media type of what `createCar` yields: blocks in no order that is told, the same block more than once (IPIP-412). */
export const CAR_MEDIA_TYPE = 'application/vnd.ipld.car; version=1; order=unk; dups=y';

/** How a CAR is made. */
export interface CarOptions {
  createSha256?: CreateSha256;
  /** SHA-256 of a leaf of up to 1 MiB; where it is given, leaves are hashed by it. */
  digestLeaf?: (leaf: Uint8Array) => Promise<Uint8Array>;
}

/**
 * A CARv1 of the UnixFS file (profile `unixfs-v1-2025`) that content is: header, then every leaf in order and every
 * node after what it links. Holds one leaf of 1 MiB and the links of unfinished nodes.
 *
 * `cid` is the content id, which becomes the one root. Throws RangeError before the last block when the bytes are
 * those of another content id.
 *
 * @example
 * const bytes = new TextEncoder().encode('hello world');
 * const cid = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
 * let sizeBytes = 0;
 * for await (const piece of createCar([bytes], cid)) sizeBytes += piece.length;
 * sizeBytes; // => 107
 */
export async function* createCar(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  cid: string,
  options: CarOptions = {},
): AsyncGenerator<Uint8Array> {
  const { createSha256 = createNobleSha256 } = options;
  const digestLeaf = options.digestLeaf ?? (async (leaf) => digestOf(leaf, createSha256));
  const root = base32.decode(cid);
  // What is ready to be sent; the last section waits until all bytes are known to be those of the content id.
  const ready: Uint8Array[] = [toHeader(root)];
  const tree = createUnixfsTree(UNIXFS_V1_2025.maxLinks, createSha256, (cidBytes, block) =>
    ready.push(toSection(cidBytes, block)),
  );
  for await (const leaf of toLeaves(content)) {
    const digest = await digestLeaf(leaf);
    // The tree is told first: it may then write nodes over the leaves before this one.
    tree.addLeaf(digest, leaf.length);
    ready.push(toSection(sha256CidBytes(RAW_CODEC, digest), leaf));
    yield* ready.splice(0, ready.length - 1);
  }
  if (!isEqual(tree.finish(), root)) throw new RangeError(`The bytes are not those of ${cid}`);
  yield* ready;
}

function digestOf(bytes: Uint8Array, createSha256: CreateSha256): Uint8Array {
  const hash = createSha256();
  hash.update(bytes);
  return hash.digest();
}

/** The content in pieces of one leaf each; one empty piece of content without bytes. */
async function* toLeaves(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { chunkSizeBytes } = UNIXFS_V1_2025;
  let leaf = new Uint8Array(chunkSizeBytes);
  let fill = 0;
  let isFirst = true;
  for await (const chunk of content) {
    for (let rest = chunk; rest.length > 0; ) {
      if (fill === chunkSizeBytes) {
        yield leaf;
        isFirst = false;
        leaf = new Uint8Array(chunkSizeBytes);
        fill = 0;
      }
      const part = rest.subarray(0, chunkSizeBytes - fill);
      leaf.set(part, fill);
      fill += part.length;
      rest = rest.subarray(part.length);
    }
  }
  if (fill > 0 || isFirst) yield leaf.subarray(0, fill);
}

/** DAG-CBOR of `{roots: [root], version: 1}`, its length before it (CARv1, "Header"). */
function toHeader(root: Uint8Array): Uint8Array {
  // A map of two, text "roots", a list of one, tag 42, bytes (0 and the CID), text "version", 1.
  const before = [0xa2, 0x65, ...toAscii('roots'), 0x81, 0xd8, 0x2a, 0x58, root.length + 1, 0];
  const header = concatBytes(
    Uint8Array.from(before),
    root,
    Uint8Array.from([0x67, ...toAscii('version'), 1]),
  );
  return concatBytes(toVarint(header.length), header);
}

/** A block, its length and its CID before it (CARv1, "Data"). */
function toSection(cidBytes: Uint8Array, block: Uint8Array): Uint8Array {
  return concatBytes(toVarint(cidBytes.length + block.length), cidBytes, block);
}

function toAscii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

function toVarint(value: number): Uint8Array {
  const bytes = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Uint8Array.from([...bytes, rest]);
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
