import { setImmediate as letOthersRun } from 'node:timers/promises';
import { createMap, type MapEntry, type MapWalk, walkMap } from '@colophon/model';
import { createSha256 } from './create-sha256.js';

/** This number of entries takes about 1 ms. */
const ENTRIES_AT_ONCE = 256;

export interface SteppedMap {
  hash: Uint8Array;
  /** Returns the same `place` and `path` as `walkMap`. */
  walk(key: Uint8Array): MapWalk;
}

interface SincePause {
  hashed: number;
}

/** The entries from `from` (included) to `to` (excluded), at least one. */
interface Stretch {
  entries: readonly MapEntry[];
  from: number;
  to: number;
  since: SincePause;
}

/**
 * Does the same as `createMap`, but lets other requests run between steps. Returns undefined when there are no entries.
 * Pass the same `since` for several maps to count their entries together.
 */
export async function createMapInSteps(
  entries: readonly MapEntry[],
  since: SincePause = { hashed: 0 },
): Promise<SteppedMap | undefined> {
  if (entries.length === 0) return undefined;
  return build({ entries, from: 0, to: entries.length, since });
}

/** Divides many entries into parts by the first byte in which they differ. Each part becomes its own map. */
async function build(stretch: Stretch): Promise<SteppedMap> {
  const { entries, from, to, since } = stretch;
  if (to - from <= ENTRIES_AT_ONCE) return buildAtOnce(stretch);
  const prefixBytes = firstDifference(keyAt(entries, from), keyAt(entries, to - 1)) + 1;
  const parts: SteppedMap[] = [];
  const above: MapEntry[] = [];
  for (let start = from; start < to; ) {
    const prefix = keyAt(entries, start).subarray(0, prefixBytes);
    let end = start + 1;
    while (end < to && keyAt(entries, end)[prefixBytes - 1] === prefix[prefixBytes - 1]) end++;
    const part = await build({ entries, from: start, to: end, since });
    parts.push(part);
    above.push({ key: prefix, hash: part.hash });
    start = end;
  }
  const tree = createMap(above, createSha256);
  if (tree === undefined) throw new Error('A map has at least one part');
  const walk = (key: Uint8Array): MapWalk => {
    const { place, path } = walkMap(tree, key);
    const below = parts[place]?.walk(key) ?? { place: from, path: [] };
    return { place: below.place, path: [...below.path, ...path] };
  };
  return { hash: tree.hash, walk };
}

async function buildAtOnce({ entries, from, to, since }: Stretch): Promise<SteppedMap> {
  const count = to - from;
  if (since.hashed > 0 && since.hashed + count > ENTRIES_AT_ONCE) {
    await letOthersRun();
    since.hashed = 0;
  }
  since.hashed += count;
  const tree = createMap(entries.slice(from, to), createSha256);
  if (tree === undefined) throw new Error('A map has at least one entry');
  const walk = (key: Uint8Array): MapWalk => {
    const { place, path } = walkMap(tree, key);
    return { place: from + place, path };
  };
  return { hash: tree.hash, walk };
}

function keyAt(entries: readonly MapEntry[], place: number): Uint8Array {
  return entries[place]?.key ?? new Uint8Array();
}

/** Keys are unique, and no key is a prefix of another key. */
function firstDifference(one: Uint8Array, other: Uint8Array): number {
  return Math.max(
    0,
    one.findIndex((value, index) => value !== other[index]),
  );
}
