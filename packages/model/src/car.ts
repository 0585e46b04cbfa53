import { concatBytes } from '@noble/hashes/utils.js';
import { base32 } from 'multiformats/bases/base32';
import { UNIXFS_V1_2025 } from './content-hasher.js';
import { type CreateSha256, createNobleSha256 } from './sha256.js';
import { RAW_CODEC, sha256CidBytes } from './sha256-cid.js';
import { createUnixfsTree } from './unixfs-tree.js';

/** Media type of the output of `createCar`. It promises no order of the blocks and permits repeated ones (IPIP-412). */
export const CAR_MEDIA_TYPE = 'application/vnd.ipld.car; version=1; order=unk; dups=y';

/** Options of `createCar`. */
export interface CarOptions {
  createSha256?: CreateSha256;
  /** Returns the SHA-256 of a leaf of up to 1 MiB. If set, it replaces the default hash for all leaves. */
  digestLeaf?: (leaf: Uint8Array) => Promise<Uint8Array>;
}

/**
 * Creates a CARv1 of content as a UnixFS file (profile `unixfs-v1-2025`): the header, all leaves in order, and the
 * nodes. Each node follows its children. Memory holds a few leaves of at most 1 MiB and the links of unfinished nodes.
 *
 * `cid` is the content id and the only root. If the bytes do not match `cid`, the function throws RangeError instead of
 * returning the last leaf and the blocks after it.
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
  // Holds the last leaf back until all bytes match the content id.
  const ready: Uint8Array[] = [toHeader(root)];
  const tree = createUnixfsTree(UNIXFS_V1_2025.maxLinks, createSha256, (cidBytes, block) =>
    ready.push(toSection(cidBytes, block)),
  );
  for await (const leaf of toLeaves(content)) {
    const digest = await digestLeaf(leaf);
    // `addLeaf` can append parent nodes of earlier leaves. Append this leaf last, because the last section is held
    // back.
    tree.addLeaf(digest, leaf.length);
    ready.push(toSection(sha256CidBytes(RAW_CODEC, digest), leaf));
    yield* ready.splice(0, ready.length - 1);
  }
  if (!isEqual(tree.finish(), root)) throw new RangeError(`The content id of the bytes is not ${cid}`);
  yield* ready;
}

function digestOf(bytes: Uint8Array, createSha256: CreateSha256): Uint8Array {
  const hash = createSha256();
  hash.update(bytes);
  return hash.digest();
}

/** Empty content gives one empty leaf. */
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

/** The header: its length, then DAG-CBOR of `{roots: [root], version: 1}` (CARv1, "Header"). */
function toHeader(root: Uint8Array): Uint8Array {
  // DAG-CBOR: a map of two, text "roots", a list of one, tag 42, bytes (0 and the CID), text "version", 1.
  const before = [0xa2, 0x65, ...toAscii('roots'), 0x81, 0xd8, 0x2a, 0x58, root.length + 1, 0];
  const header = concatBytes(
    Uint8Array.from(before),
    root,
    Uint8Array.from([0x67, ...toAscii('version'), 1]),
  );
  return concatBytes(toVarint(header.length), header);
}

/** A section: its length, then the CID and the block (CARv1, "Data"). */
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
