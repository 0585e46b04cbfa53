import { ServiceError } from '../errors.js';
import type { Queryable } from '../platform/db/database.js';
import { countLeavesBelow, type PackedGroup, type ProjectMap, readLeavesBelow } from './mentions.sql.js';
import { HASH_BYTES } from './tile-subtrees.js';

/** Approximate maximum number of map leaves that one transaction reads and hashes. */
const LEAVES_AT_ONCE = 16_384;
/** Default of `maxPrefixNames`. Honest keys reach it only with about a billion identifiers in a project. */
export const MAX_PREFIX_NAMES = 16_384;
/** Length of the keys of leaves. */
export const KEY_BYTES = 32;

/**
 * Returns the number of prefixes, from the start of the list, that have at most `LEAVES_AT_ONCE` leaves in total.
 * Returns at least 1.
 */
export async function countShort(
  db: Queryable,
  map: ProjectMap,
  prefixes: readonly string[],
): Promise<number> {
  const counted = await countLeavesBelow(db, map, { prefixes, limit: LEAVES_AT_ONCE + 1 });
  const sum = counted.reduce((before, { leaves }) => before + leaves, 0);
  return sum <= LEAVES_AT_ONCE ? prefixes.length : Math.max(1, (counted.at(-1)?.place ?? 1) - 1);
}

/**
 * Reads the leaves below 2-byte prefixes. Throws `Forbidden` when a prefix has more than `maxPrefixNames` leaves. Each
 * new leaf changes the root over its prefix, so the service hashes all leaves below this prefix again. Honest keys are
 * spread evenly over 65,536 prefixes, but a caller can search for identifiers whose keys share a prefix.
 */
export async function readBuckets(
  db: Queryable,
  map: ProjectMap,
  prefixes: readonly string[],
): Promise<PackedGroup[]> {
  const { maxPrefixNames } = map;
  const groups = await readLeavesBelow(db, map, prefixes);
  const maxDigits = 2 * maxPrefixNames * (KEY_BYTES + HASH_BYTES);
  const large = groups.find(({ packed }) => packed.length > maxDigits);
  if (large === undefined) return groups;
  throw new ServiceError(
    'Forbidden',
    `The service cannot prove bundles of this project. More than ${maxPrefixNames} of its identifiers have a SHA-256 that begins with ${large.prefix}, and MAX_PREFIX_NAMES is ${maxPrefixNames}.`,
    {
      recovery: 'Request the bundle without proof=true, or ask the operator to raise MAX_PREFIX_NAMES.',
      details: { limit: 'MAX_PREFIX_NAMES', value: maxPrefixNames, prefix: large.prefix },
    },
  );
}
