import { emptyRoot, type MapEntry } from '@colophon/model';
import { ServiceError } from '../errors.js';
import type { Queryable } from '../platform/db/database.js';
import { mapYielding } from '../platform/work/map-yielding.js';
import { createMapInSteps } from './map-in-steps.js';
import { type EntryRow, readPackedNodes } from './map-nodes.sql.js';
import {
  countLeavesBelow,
  type KeyRange,
  type PackedGroup,
  type ProjectMap,
  readLeavesBelow,
} from './mentions.sql.js';
import { HASH_BYTES } from './tile-subtrees.js';

/** Approximate maximum number of map leaves that one transaction reads and hashes. */
const LEAVES_AT_ONCE = 16_384;
/** Default of `maxPrefixNames`. Honest keys reach it only with about 10^11 identifiers in a project. */
export const MAX_PREFIX_NAMES = 16_384;
export const KEY_BYTES = 32;

/**
 * A bucket with more leaves is divided in two. With a higher limit, a proof reads more database pages. With a lower
 * limit, the service writes longer rows.
 */
const BUCKET_LEAVES = 8;
const PREFIX_DIGITS = 4;
/** Numbers of bits of the shortest and of the longest prefix of a bucket. */
const LEAST_BITS = 16;
const MOST_BITS = 24;
const BUCKET_DIGITS = MOST_BITS / 4;
const BUCKET_KEY_BYTES = 4;

/**
 * The buckets of 2-byte prefixes. A bucket has all leaves of the map whose keys begin with the same bits. The key of a
 * bucket is these bits, filled with zeros to 3 bytes, and one byte with the number of these bits.
 * Empty list: the prefix has at most `BUCKET_LEAVES` leaves, which are one bucket with the prefix as its key. Null: the
 * map does not store the buckets of this prefix, so all its leaves are one bucket.
 */
export type Buckets = Map<string, readonly MapEntry[] | null>;

export async function readBuckets(
  db: Queryable,
  map: ProjectMap,
  prefixes: readonly string[],
): Promise<Buckets> {
  const buckets: Buckets = new Map(prefixes.map((prefix) => [prefix, null]));
  if (prefixes.length === 0) return buckets;
  const rows = await readPackedNodes(db, map, prefixes);
  await mapYielding(rows, (row) => buckets.set(row.prefix, unpack(row, BUCKET_KEY_BYTES)));
  return buckets;
}

/** Returns the key of the bucket to which a leaf belongs. Both keys are in hex. */
export function bucketOf(key: string, buckets: Buckets): string {
  const prefix = prefixOf(key);
  const bits = toBits(key);
  let shared = LEAST_BITS - 1;
  for (const { key: bucket } of buckets.get(prefix) ?? []) {
    const bucketBits = (byteAt(bucket, 0) << 16) | (byteAt(bucket, 1) << 8) | byteAt(bucket, 2);
    const equal = countEqual(bits, bucketBits);
    if (equal >= byteAt(bucket, 3)) return toHex(bucket);
    shared = Math.max(shared, equal);
  }
  // The key has no stored bucket. If the prefix has stored buckets, the bucket of the key is empty. Its bits are the
  // shortest prefix of the key with which no stored bucket begins.
  return shared < LEAST_BITS ? prefix : toBucketKey(bits, shared + 1);
}

/**
 * `short`: how many buckets at the start of the list have at most `LEAVES_AT_ONCE` leaves and roots in total; at least
 * 1, except for an empty list. `isDense`: whether the buckets that the map cannot divide have more leaves than this
 * limit.
 */
export async function countShort(
  db: Queryable,
  map: ProjectMap,
  { keys, buckets }: { keys: readonly string[]; buckets: Buckets },
): Promise<{ short: number; isDense: boolean }> {
  const open = keys.filter((key) => !isShort(key, buckets));
  const counted =
    open.length === 0
      ? []
      : await countLeavesBelow(db, map, { ranges: open.map(toRange), limit: LEAVES_AT_ONCE + 1 });
  const leavesOf = new Map(counted.map(({ prefix, leaves }) => [prefix, leaves]));
  // A prefix without stored buckets is not dense, because the map can divide it.
  const undivided = counted.filter(({ prefix }) => prefix.length > PREFIX_DIGITS);
  const isDense = undivided.reduce((leaves, one) => leaves + one.leaves, 0) > LEAVES_AT_ONCE;
  const prefixes = new Set<string>();
  let sum = 0;
  for (const [place, key] of keys.entries()) {
    const prefix = prefixOf(key);
    if (!prefixes.has(prefix)) sum += buckets.get(prefix)?.length ?? 0;
    prefixes.add(prefix);
    sum += isShort(key, buckets) ? BUCKET_LEAVES : (leavesOf.get(key) ?? 0);
    if (sum > LEAVES_AT_ONCE) return { short: Math.max(1, place), isDense };
  }
  return { short: keys.length, isDense };
}

function isShort(key: string, buckets: Buckets): boolean {
  if (key.length === PREFIX_DIGITS) return (buckets.get(key) ?? null) !== null;
  return lengthOf(key) < MOST_BITS;
}

/**
 * Reads the leaves of buckets. Throws `Forbidden` when a bucket has more than `maxPrefixNames` leaves: a caller can
 * search for identifiers that fill one bucket, and each new leaf makes the service hash the whole bucket again.
 */
export async function readBucketLeaves(
  db: Queryable,
  map: ProjectMap,
  keys: readonly string[],
): Promise<PackedGroup[]> {
  const { maxPrefixNames } = map;
  const groups = await readLeavesBelow(db, map, keys.map(toRange));
  const maxDigits = 2 * maxPrefixNames * (KEY_BYTES + HASH_BYTES);
  const large = groups.find(({ packed }) => packed.length > maxDigits);
  if (large === undefined) return groups;
  const prefix = large.prefix.slice(0, BUCKET_DIGITS);
  throw new ServiceError(
    'Forbidden',
    `The service cannot prove bundles of this project. More than ${maxPrefixNames} of its identifiers have a SHA-256 that begins with ${prefix}, and MAX_PREFIX_NAMES is ${maxPrefixNames}.`,
    {
      recovery: 'Request the bundle without proof=true, or ask the operator to raise MAX_PREFIX_NAMES.',
      details: { limit: 'MAX_PREFIX_NAMES', value: maxPrefixNames, prefix },
    },
  );
}

/**
 * Returns the new roots over 2-byte prefixes after leaves changed. Divides buckets that became too large. `changed`:
 * the changed buckets, each with all of its leaves.
 */
export async function toNodes(changed: readonly PackedGroup[], buckets: Buckets): Promise<EntryRow[]> {
  const roots = await rootsOf(changed.flatMap(divide), KEY_BYTES);
  const replaced = new Set(changed.map(({ prefix }) => prefix));
  const single = roots.filter(({ key }) => key.length === PREFIX_DIGITS);
  const parts = new Map<string, string[]>();
  for (const { key, hash } of roots) {
    const prefix = prefixOf(key);
    if (key !== prefix) parts.set(prefix, [...(parts.get(prefix) ?? []), key + hash]);
  }
  const divided = await mapYielding([...parts], ([prefix, added]) => {
    const kept = (buckets.get(prefix) ?? [])
      .filter(({ key }) => !replaced.has(toHex(key)))
      .map(({ key, hash }) => toHex(key) + toHex(hash));
    return { prefix, packed: [...kept, ...added].sort().join('') };
  });
  const above = await rootsOf(divided, BUCKET_KEY_BYTES);
  return [
    ...single.map((root) => ({ ...root, below: '' })),
    ...above.map((root, place) => ({ ...root, below: divided[place]?.packed ?? '' })),
  ];
}

function divide(bucket: PackedGroup): PackedGroup[] {
  const { prefix, packed } = bucket;
  const digits = 2 * (KEY_BYTES + HASH_BYTES);
  const bits = prefix.length === PREFIX_DIGITS ? LEAST_BITS : lengthOf(prefix);
  if (packed.length <= BUCKET_LEAVES * digits) return [bucket];
  if (bits === MOST_BITS) return [bucket];
  const middle = findMiddle(packed, { bits, digits });
  const halves = [packed.slice(0, middle), packed.slice(middle)].filter((half) => half !== '');
  return halves.flatMap((half) => divide({ prefix: toBucketKey(toBits(half), bits + 1), packed: half }));
}

/** Returns the position of the first leaf whose key has a 1 at the bit with the index `bits`. */
function findMiddle(packed: string, { bits, digits }: { bits: number; digits: number }): number {
  let [low, high] = [0, packed.length / digits];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const isOne = ((toBits(packed.slice(middle * digits)) >>> (MOST_BITS - 1 - bits)) & 1) === 1;
    if (isOne) high = middle;
    else low = middle + 1;
  }
  return low * digits;
}

function toRange(key: string): KeyRange {
  if (key.length === PREFIX_DIGITS) return { prefix: key, first: key, last: key };
  const others = 2 ** (MOST_BITS - lengthOf(key)) - 1;
  const last = (toBits(key) | others).toString(16).padStart(BUCKET_DIGITS, '0');
  return { prefix: key, first: key.slice(0, BUCKET_DIGITS), last };
}

function prefixOf(key: string): string {
  return key.slice(0, PREFIX_DIGITS);
}

function toBits(key: string): number {
  return Number.parseInt(key.slice(0, BUCKET_DIGITS), 16);
}

function lengthOf(bucketKey: string): number {
  return Number.parseInt(bucketKey.slice(BUCKET_DIGITS), 16);
}

function toBucketKey(bits: number, length: number): string {
  const others = 2 ** (MOST_BITS - length) - 1;
  const prefix = (bits & ~others).toString(16).padStart(BUCKET_DIGITS, '0');
  return prefix + length.toString(16).padStart(2, '0');
}

function byteAt(bytes: Uint8Array, place: number): number {
  return bytes[place] ?? 0;
}

function countEqual(one: number, other: number): number {
  return Math.clz32(one ^ other) - (32 - MOST_BITS);
}

export function rootsOf(groups: readonly PackedGroup[], keyBytes: number): Promise<EntryRow[]> {
  const since = { hashed: 0 };
  return mapYielding(groups, async (group) => {
    const { hash } = (await createMapInSteps(unpack(group, keyBytes), since)) ?? { hash: emptyRoot() };
    return { key: group.prefix, hash: toHex(hash) };
  });
}

export function unpack({ packed }: Pick<PackedGroup, 'packed'>, keyBytes: number): MapEntry[] {
  const bytes = Buffer.from(packed, 'hex');
  const entries: MapEntry[] = [];
  for (let at = 0; at < bytes.length; at += keyBytes + HASH_BYTES) {
    const hashAt = at + keyBytes;
    entries.push({ key: bytes.subarray(at, hashAt), hash: bytes.subarray(hashAt, hashAt + HASH_BYTES) });
  }
  return entries;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
