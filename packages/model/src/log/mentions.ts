import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type CreateSha256, createNobleSha256, SHA256_BYTES } from '../sha256.js';
import { toUint64 } from '../uint64.js';

/**
 * The number of records in a list, and one hash over the list. The hash does not reveal the records. The records are in
 * the order of their leaves in the log.
 */
export interface MentionChain {
  count: number;
  /**
   * 32 zero bytes for a list without records. Each record changes the head to SHA-256(0x02 || previous head || the 32
   * bytes of the record's digest).
   */
  head: Uint8Array;
}

/**
 * The actions that name a content, in a map of version 1. `made`: the actions with the content as an output. `used`:
 * the actions with the content as an input.
 */
export interface Mentions {
  made: MentionChain;
  used: MentionChain;
}

/** An entry of the map: its key, and the hash of the leaf with its key and value. */
export interface MapEntry {
  key: Uint8Array;
  hash: Uint8Array;
}

const LEAF_PREFIX = Uint8Array.of(0);
const ACTION_PREFIX = Uint8Array.of(0);
const CHAIN_PREFIX = Uint8Array.of(2);

/** A chain without records. */
export function emptyChain(): MentionChain {
  return { count: 0, head: new Uint8Array(SHA256_BYTES) };
}

/**
 * Returns the chain with the digest of one more record. The head changes when a record is omitted, added or moved.
 * Throws RangeError for a malformed digest.
 *
 * @example
 * extendChain(emptyChain(), `sha256:${'00'.repeat(32)}`).count; // => 1
 */
export function extendChain(
  { count, head }: MentionChain,
  digest: string,
  createSha256: CreateSha256 = createNobleSha256,
): MentionChain {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new RangeError('Expected a digest: sha256: and 64 lower-case hex digits');
  const bytes = hexToBytes(digest.slice('sha256:'.length));
  return { count: count + 1, head: hashOf([CHAIN_PREFIX, head, bytes], createSha256) };
}

/**
 * Returns the key of a content's identifier in the map: SHA-256 of the identifier in UTF-8.
 *
 * @example
 * mentionKey('bafkqaaa').length; // => 32
 */
export function mentionKey(name: string, createSha256: CreateSha256 = createNobleSha256): Uint8Array {
  return hashOf([utf8ToBytes(name)], createSha256);
}

/**
 * Returns the key of an action in a map of version 2: SHA-256(0x00 || id in UTF-8). No identifier of content has this
 * key, because a valid identifier never contains U+0000.
 *
 * @example
 * actionKey('0198c0de-0000-7000-8000-000000000000').length; // => 32
 */
export function actionKey(id: string, createSha256: CreateSha256 = createNobleSha256): Uint8Array {
  return hashOf([ACTION_PREFIX, utf8ToBytes(id)], createSha256);
}

/** Returns the value of an entry of a map of version 1: `chainsValue` of both chains. */
export function mentionValue({ made, used }: Mentions, createSha256?: CreateSha256): Uint8Array {
  return chainsValue([made, used], createSha256);
}

/**
 * Returns the value of an entry of the map: SHA-256 of its packed chains.
 *
 * @example
 * chainsValue([emptyChain()]).length; // => 32
 */
export function chainsValue(
  chains: readonly MentionChain[],
  createSha256: CreateSha256 = createNobleSha256,
): Uint8Array {
  return hashOf([packChains(chains)], createSha256);
}

/**
 * Returns the chains as bytes: for each chain, the count in 8 bytes and then the head.
 *
 * @example
 * packChains([emptyChain(), emptyChain()]).length; // => 80
 */
export function packChains(chains: readonly MentionChain[]): Uint8Array {
  return concatBytes(...chains.flatMap(({ count, head }) => [toUint64(count), head]));
}

/**
 * Returns the hash of a leaf of the map: SHA-256(0x00 || key || value).
 *
 * @example
 * mapLeafHash(mentionKey('bafkqaaa'), mentionValue({ made: emptyChain(), used: emptyChain() })).length; // => 32
 */
export function mapLeafHash(
  key: Uint8Array,
  value: Uint8Array,
  createSha256: CreateSha256 = createNobleSha256,
): Uint8Array {
  return hashOf([LEAF_PREFIX, key, value], createSha256);
}

function hashOf(parts: Uint8Array[], createSha256: CreateSha256): Uint8Array {
  const hash = createSha256();
  for (const part of parts) hash.update(part);
  return hash.digest();
}
