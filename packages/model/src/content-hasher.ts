import { bytesToHex } from '@noble/hashes/utils.js';
import { base32 } from 'multiformats/bases/base32';
import { contentIdOfSha256 } from './content-id.js';
import { type CreateSha256, createNobleSha256, type Sha256 } from './sha256.js';
import { createUnixfsTree } from './unixfs-tree.js';

/** The identifiers that depend only on the bytes of content. */
export interface ContentDigests {
  /** CIDv1 of profile `unixfs-v1-2025`, in base32: the content id. */
  cid: string;
  /**
   * Other CIDs of the same bytes. Content over 1 MiB has one: the CIDv1 with codec `raw` that contains the SHA-256 of
   * all bytes.
   */
  aliases: string[];
  /** SHA-256 of all bytes, as `sha256:` and 64 lower-case hex digits. */
  contentDigest: string;
  sizeBytes: number;
}

/** A hasher of content that arrives in pieces. */
export interface ContentHasher {
  /** Appends bytes. The caller may reuse the buffer after the call. */
  update(chunk: Uint8Array): void;
  /** Returns the identifiers of the appended bytes. Call it once: `update` and `finish` throw afterwards. */
  finish(): ContentDigests;
}

/** The size of the leaves and the maximum number of links of a node. */
export interface UnixfsLayout {
  readonly chunkSizeBytes: number;
  readonly maxLinks: number;
}

/** The layout of profile `unixfs-v1-2025` (IPIP-499). In this profile, leaves are raw blocks. */
export const UNIXFS_V1_2025: UnixfsLayout = { chunkSizeBytes: 1_048_576, maxLinks: 1024 };

/**
 * Creates a hasher that computes the CID (profile `unixfs-v1-2025`, IPIP-499) and the SHA-256 of content in one
 * pass. It buffers no content. Memory holds at most 1024 digests for content up to 1 GiB, at most 2048 digests for
 * content up to 1 TiB, and so on.
 *
 * @example
 * const hasher = createContentHasher();
 * hasher.update(new TextEncoder().encode('hello '));
 * hasher.update(new TextEncoder().encode('world'));
 * hasher.finish().cid; // => 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'
 */
export function createContentHasher(options: { createSha256?: CreateSha256 } = {}): ContentHasher {
  return createHasherOfLayout(UNIXFS_V1_2025, options.createSha256 ?? createNobleSha256);
}

/** Does the same as `createContentHasher`, but with the given layout. */
export function createHasherOfLayout(layout: UnixfsLayout, createSha256: CreateSha256): ContentHasher {
  const tree = createUnixfsTree(layout.maxLinks, createSha256);
  let leaf = createSha256();
  let leafSizeBytes = 0;
  let sizeBytes = 0;
  // SHA-256 of all bytes. Undefined for a single leaf, because `leaf` then hashes all bytes.
  let whole: Sha256 | undefined;

  function beginNextLeaf(): void {
    whole ??= leaf.copy();
    tree.addLeaf(leaf.digest(), leafSizeBytes);
    leaf = createSha256();
    leafSizeBytes = 0;
  }

  function appendToLeaf(bytes: Uint8Array): void {
    leaf.update(bytes);
    whole?.update(bytes);
    leafSizeBytes += bytes.length;
    sizeBytes += bytes.length;
  }

  return {
    update(chunk) {
      let rest = chunk;
      while (rest.length > 0) {
        if (leafSizeBytes === layout.chunkSizeBytes) beginNextLeaf();
        const room = layout.chunkSizeBytes - leafSizeBytes;
        appendToLeaf(rest.subarray(0, room));
        rest = rest.subarray(room);
      }
    },
    finish() {
      const leafDigest = leaf.digest();
      if (whole === undefined) return digestsOf(leafDigest, sizeBytes);
      tree.addLeaf(leafDigest, leafSizeBytes);
      const digests = digestsOf(whole.digest(), sizeBytes);
      return { ...digests, cid: base32.encode(tree.finish()), aliases: [digests.cid] };
    },
  };
}

function digestsOf(sha256: Uint8Array, sizeBytes: number): ContentDigests {
  return {
    cid: contentIdOfSha256(sha256),
    aliases: [],
    contentDigest: `sha256:${bytesToHex(sha256)}`,
    sizeBytes,
  };
}
