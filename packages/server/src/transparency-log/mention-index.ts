import {
  actionKey,
  chainsValue,
  emptyChain,
  emptyRoot,
  extendChain,
  type MapEntry,
  type MentionChain,
  mapLeafHash,
  mapRoot,
  mentionKey,
  packChains,
  toBase64,
} from '@colophon/model';
import type { Tx } from '../platform/db/database.js';
import { mapYielding } from '../platform/work/map-yielding.js';
import { createSha256 } from './create-sha256.js';
import type { Span } from './log.sql.js';
import { countShort, KEY_BYTES, readBuckets } from './map-buckets.js';
import { createMapInSteps } from './map-in-steps.js';
import {
  type EntryRow,
  type IndexState,
  listGaps,
  lockMentionIndex,
  type MentionRow,
  type PackedGroup,
  type ProjectMap,
  readMentions,
  readNamingActions,
  readNamingAttributions,
  readNodesBelow,
  readTopNodes,
  removeRoots,
  updateIndexState,
  upsertMapNodes,
  upsertMentions,
} from './mentions.sql.js';
import { HASH_BYTES } from './tile-subtrees.js';

/** Approximate maximum number of leaves and identifiers, in total, that one transaction adds to the map. */
const NAMES_AT_ONCE = 500;
/** Approximate number of roots over 2-byte prefixes that one transaction combines into roots over 1-byte prefixes. */
const NODES_AT_ONCE = 2_048;

/** Number of hex digits of a 2-byte key prefix. The map stores a root over each 2-byte and each 1-byte prefix. */
const LONG_PREFIX = 4;
/** Number of hex digits of a 1-byte key prefix. */
const SHORT_PREFIX = 2;
/** Number of 1-byte prefixes. */
const ALL_ROOTS = 16 ** SHORT_PREFIX;

/** Length of the keys of nodes. */
export const NODE_KEY_BYTES = LONG_PREFIX / 2;

/** Size of the count in a packed chain (see `MentionChain`). */
const COUNT_BYTES = 8;
/** Size of a packed chain: its count and its head. */
const CHAIN_BYTES = COUNT_BYTES + 32;

/** The map from content identifiers, and in version 2 also from actions, to the records that name them. */
export interface MapState extends Omit<IndexState, 'hasGaps'> {
  /** Base64. */
  root: string;
  /** The roots over prefixes of 1 byte, sorted. */
  top: readonly MapEntry[];
}

/**
 * Adds the log's leaves to the map until it covers `size` leaves. Returns undefined if another transaction is
 * necessary. Locks the map until the transaction ends.
 */
export async function advanceMentions(tx: Tx, map: ProjectMap, size: number): Promise<MapState | undefined> {
  const before = await lockMentionIndex(tx, map);
  if (before.leaves >= size) return fillGaps(tx, map, { state: before, limit: rootsAtOnce(before) });
  const { to, additions } = await readShortAdditions(tx, map, { from: before.leaves, to: size });
  const { names, prefixes } = await addRecords(tx, map, additions);
  const state = { leaves: to, names: before.names + names, hasGaps: before.hasGaps };
  const limit = rootsAtOnce(state);
  if (to >= size && !before.hasGaps && prefixes.length <= limit) {
    await keepRoots(tx, map, prefixes);
    await updateIndexState(tx, map, state);
    return withTop(tx, map, state);
  }
  await removeRoots(tx, map, prefixes);
  const open = { ...state, hasGaps: true };
  await updateIndexState(tx, map, open);
  // Each call that reaches `size` computes some missing roots. Otherwise, roots would always be missing under a
  // constant stream of records.
  return to < size ? undefined : fillGaps(tx, map, { state: open, limit });
}

/**
 * Reads the map and locks it until the transaction ends. Computes some of the missing roots, or all of them with
 * `isLast`. Returns undefined if roots are still missing.
 */
export async function readMap(
  tx: Tx,
  map: ProjectMap,
  { isLast = false } = {},
): Promise<MapState | undefined> {
  const state = await lockMentionIndex(tx, map);
  const limit = isLast ? ALL_ROOTS : rootsAtOnce(state);
  return fillGaps(tx, map, { state, limit });
}

async function withTop(tx: Tx, map: ProjectMap, { leaves, names }: IndexState): Promise<MapState> {
  const top = (await readTopNodes(tx, map)).flatMap((group) => unpack(group, SHORT_PREFIX / 2));
  return { leaves, names, root: toBase64(mapRoot(top, createSha256)), top };
}

/** Returns the number of 1-byte prefixes below which there are about `NODES_AT_ONCE` roots in total. */
function rootsAtOnce({ names }: IndexState): number {
  const below = Math.min(ALL_ROOTS, Math.ceil((names + NAMES_AT_ONCE) / ALL_ROOTS));
  return Math.floor(NODES_AT_ONCE / below);
}

/** Computes at most `limit` missing roots. Returns the map if it now has all roots. */
async function fillGaps(
  tx: Tx,
  map: ProjectMap,
  { state, limit }: { state: IndexState; limit: number },
): Promise<MapState | undefined> {
  if (state.hasGaps) {
    const gaps = await listGaps(tx, map, limit + 1);
    await keepRoots(tx, map, gaps.slice(0, limit));
    if (gaps.length > limit) return undefined;
    await updateIndexState(tx, map, { ...state, hasGaps: false });
  }
  return withTop(tx, map, state);
}

async function keepRoots(tx: Tx, map: ProjectMap, prefixes: readonly string[]): Promise<void> {
  const nodes = await readNodesBelow(tx, map, prefixes);
  await upsertMapNodes(tx, map, await rootsOf(nodes, NODE_KEY_BYTES));
}

/**
 * Adds records to the map. Does not update the roots over 1-byte prefixes. `names`: number of new keys. `prefixes`: the
 * 1-byte prefixes of all keys.
 */
async function addRecords(
  tx: Tx,
  map: ProjectMap,
  additions: readonly Addition[],
): Promise<{ names: number; prefixes: string[] }> {
  const keys = [...new Set(additions.map(({ key }) => key))];
  if (keys.length === 0) return { names: 0, prefixes: [] };
  const kept = await readMentions(tx, map, keys);
  const held = new Map(kept.map((row) => [row.key, toChains(row)]));
  await mapYielding(additions, ({ key, chain, count, digest }) => {
    const chains = held.get(key) ?? Array.from({ length: count }, emptyChain);
    chains[chain] = extendChain(chains[chain] ?? emptyChain(), `sha256:${digest}`, createSha256);
    held.set(key, chains);
  });
  await upsertMentions(tx, map, await mapYielding([...held], toRow));
  const below = await readBuckets(tx, map, prefixesOf(keys, LONG_PREFIX));
  await upsertMapNodes(tx, map, await rootsOf(below, KEY_BYTES));
  return { names: held.size - kept.length, prefixes: prefixesOf(keys, SHORT_PREFIX) };
}

/**
 * A record that extends a chain. `chain`: the index of the chain in the entry of `key`. `count`: the number of chains
 * in that entry.
 */
interface Addition {
  key: string;
  chain: number;
  count: number;
  digest: string;
}

/** Indexes of the chains in the entry of an identifier. Version 1 has no attributions. An action has only one chain. */
const MADE = 0;
const USED = 1;
const ATTRIBUTED = 2;

/** The additions to the map from the first leaves of a span. `to`: the end of these leaves. */
interface Additions {
  additions: Addition[];
  to: number;
}

/**
 * Like `readAdditions`, but reads fewer leaves of the log if their additions would make the service hash too many
 * leaves of the map again.
 */
async function readShortAdditions(tx: Tx, map: ProjectMap, span: Span): Promise<Additions> {
  for (let maxNames = NAMES_AT_ONCE; ; ) {
    const read = await readAdditions(tx, map, { ...span, maxNames });
    const prefixes = prefixesOf(
      read.additions.map(({ key }) => key),
      LONG_PREFIX,
    );
    const short = await countShort(tx, map, prefixes);
    if (short === prefixes.length || read.to <= span.from + 1) return read;
    maxNames = Math.floor((maxNames * short) / prefixes.length / 2) || 1;
  }
}

/** Reads additions for about `maxNames` leaves and identifiers. Additions to one chain are in the order of leaves. */
async function readAdditions(
  tx: Tx,
  { projectId, version }: ProjectMap,
  { maxNames, ...span }: Span & { maxNames: number },
): Promise<Additions> {
  const count = version === 1 ? USED + 1 : ATTRIBUTED + 1;
  const keys = new Map<string, string>();
  const ofName = (name: string, chain: number, digest: string): Addition => {
    const key = keys.get(name) ?? toHex(mentionKey(name, createSha256));
    keys.set(name, key);
    return { key, chain, count, digest };
  };
  const { actions, to } = await readNamingActions(tx, projectId, { ...span, maxNames });
  const named = await mapYielding(actions, ({ digest, inputCids, outputCids }) => [
    ...inputCids.map((name) => ofName(name, USED, digest)),
    ...outputCids.map((name) => ofName(name, MADE, digest)),
  ]);
  const additions = named.flat();
  if (version === 1) return { additions, to };
  for (const { digest, actionId, resourceCid } of await readNamingAttributions(tx, projectId, {
    ...span,
    to,
  })) {
    if (resourceCid !== null) additions.push(ofName(resourceCid, ATTRIBUTED, digest));
    if (actionId !== null)
      additions.push({ key: toHex(actionKey(actionId, createSha256)), chain: 0, count: 1, digest });
  }
  return { additions, to };
}

function prefixesOf(keys: readonly string[], digits: number): string[] {
  return [...new Set(keys.map((key) => key.slice(0, digits)))];
}

/** Returns the root of each group. */
function rootsOf(groups: readonly PackedGroup[], keyBytes: number): Promise<EntryRow[]> {
  return mapYielding(groups, async (group) => {
    const { hash } = (await createMapInSteps(unpack(group, keyBytes))) ?? { hash: emptyRoot() };
    return { key: group.prefix, hash: toHex(hash) };
  });
}

/** Returns the entries of a group. Each key has `keyBytes` bytes. */
export function unpack({ packed }: Pick<PackedGroup, 'packed'>, keyBytes: number): MapEntry[] {
  const bytes = Buffer.from(packed, 'hex');
  const entries: MapEntry[] = [];
  for (let at = 0; at < bytes.length; at += keyBytes + HASH_BYTES) {
    const hashAt = at + keyBytes;
    entries.push({ key: bytes.subarray(at, hashAt), hash: bytes.subarray(hashAt, hashAt + HASH_BYTES) });
  }
  return entries;
}

/** Returns the chains of an entry, in their order. */
export function toChains({ chains }: Pick<MentionRow, 'chains'>): MentionChain[] {
  const packed = Buffer.from(chains, 'hex');
  return Array.from({ length: packed.length / CHAIN_BYTES }, (_, place) => {
    const at = place * CHAIN_BYTES;
    return {
      count: Number(packed.readBigUInt64BE(at)),
      head: packed.subarray(at + COUNT_BYTES, at + CHAIN_BYTES),
    };
  });
}

function toRow([key, chains]: [string, MentionChain[]]): MentionRow {
  const value = chainsValue(chains, createSha256);
  const leafHash = mapLeafHash(Buffer.from(key, 'hex'), value, createSha256);
  return { key, chains: toHex(packChains(chains)), leafHash: toHex(leafHash) };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
