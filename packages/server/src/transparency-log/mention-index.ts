import {
  actionKey,
  chainsValue,
  emptyChain,
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
import {
  type Buckets,
  bucketOf,
  countShort,
  readBucketLeaves,
  readBuckets,
  rootsOf,
  toNodes,
  unpack,
} from './map-buckets.js';
import {
  type EntryRow,
  listGaps,
  packNodes,
  readNodesBelow,
  readPackedNodes,
  readTopNodes,
  removeRoots,
  upsertMapNodes,
} from './map-nodes.sql.js';
import {
  type IndexState,
  lockMentionIndex,
  type MentionRow,
  type PackedGroup,
  type ProjectMap,
  readMentions,
  readNamingActions,
  readNamingAttributions,
  updateIndexState,
  upsertMentions,
} from './mentions.sql.js';
import { HASH_BYTES } from './tile-subtrees.js';

/** Approximate maximum number of leaves and identifiers, in total, that one transaction adds to the map. */
const NAMES_AT_ONCE = 500;
/** Approximate number of roots over 2-byte prefixes that one transaction combines into roots over 1-byte prefixes. */
const NODES_AT_ONCE = 2_048;

/** One proof completes at most this many rows of an earlier version for each prefix length. */
const GROUPS_AT_ONCE = 32;

/** Number of hex digits of a 2-byte key prefix. The map stores a root over each 2-byte and each 1-byte prefix. */
const LONG_PREFIX = 4;
const SHORT_PREFIX = 2;
const ALL_ROOTS = 16 ** SHORT_PREFIX;

export const NODE_KEY_BYTES = LONG_PREFIX / 2;

const COUNT_BYTES = 8;
/** A packed chain is its count and its head. */
const CHAIN_BYTES = COUNT_BYTES + 32;

/** The map from content identifiers, and in version 2 also from actions, to the records that name them. */
export interface MapState extends Omit<IndexState, 'hasGaps' | 'top'> {
  /** Base64. */
  root: string;
  /** The roots over 1-byte prefixes, sorted. */
  top: readonly MapEntry[];
}

/**
 * Adds leaves until the map covers `size` leaves. Undefined if another transaction is necessary. Locks the map until
 * the transaction ends.
 */
export async function advanceMentions(tx: Tx, map: ProjectMap, size: number): Promise<MapState | undefined> {
  const before = await lockMentionIndex(tx, map);
  if (before.leaves >= size) return fillGaps(tx, map, { state: before, limit: rootsAtOnce(before) });
  const { to, ...read } = await readShortAdditions(tx, map, { from: before.leaves, to: size });
  const { names, nodes } = await addRecords(tx, map, read);
  const prefixes = prefixesOf(
    nodes.map(({ key }) => key),
    SHORT_PREFIX,
  );
  const state = { leaves: to, names: before.names + names, hasGaps: before.hasGaps, top: null };
  const limit = rootsAtOnce(state);
  if (to >= size && !before.hasGaps && prefixes.length <= limit) {
    const roots = await keepRoots(tx, map, await readChangedGroups(tx, map, { prefixes, nodes }));
    const top = before.top === null ? await readTop(tx, map) : mergeRows(before.top, roots);
    await updateIndexState(tx, map, { ...state, top });
    return toMapState({ ...state, top });
  }
  await removeRoots(tx, map, prefixes);
  const open = { ...state, hasGaps: true };
  await updateIndexState(tx, map, open);
  // Without `fillGaps` here, roots would always be missing under a constant stream of records.
  return to < size ? undefined : fillGaps(tx, map, { state: open, limit });
}

/**
 * Reads and locks the map. Computes some of the missing roots, or all of them with `isLast`. Undefined if roots are
 * still missing.
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

async function readTop(tx: Tx, map: ProjectMap): Promise<string> {
  return (await readTopNodes(tx, map)).map(({ packed }) => packed).join('');
}

function toMapState({ leaves, names, top: packed }: IndexState & { top: string }): MapState {
  const top = unpack({ packed }, SHORT_PREFIX / 2);
  return { leaves, names, root: toBase64(mapRoot(top, createSha256)), top };
}

/** Returns the number of 1-byte prefixes below which there are about `NODES_AT_ONCE` roots in total. */
function rootsAtOnce({ names }: IndexState): number {
  const below = Math.min(ALL_ROOTS, Math.ceil((names + NAMES_AT_ONCE) / ALL_ROOTS));
  return Math.floor(NODES_AT_ONCE / below);
}

/** Computes at most `limit` missing roots. Undefined if roots are still missing. */
async function fillGaps(
  tx: Tx,
  map: ProjectMap,
  { state, limit }: { state: IndexState; limit: number },
): Promise<MapState | undefined> {
  if (state.top !== null) return toMapState({ ...state, top: state.top });
  if (state.hasGaps) {
    const gaps = await listGaps(tx, map, limit + 1);
    await keepRoots(tx, map, await readNodesBelow(tx, map, gaps.slice(0, limit)));
    if (gaps.length > limit) return undefined;
  }
  const filled = { ...state, hasGaps: false, top: await readTop(tx, map) };
  await updateIndexState(tx, map, filled);
  return toMapState(filled);
}

/** Stores the root over each group. A group has all roots over 2-byte prefixes that begin with the same byte. */
async function keepRoots(tx: Tx, map: ProjectMap, groups: readonly PackedGroup[]): Promise<EntryRow[]> {
  const packed = new Map(groups.map((group) => [group.prefix, group.packed]));
  const roots = (await rootsOf(groups, NODE_KEY_BYTES)).map((root) => ({
    ...root,
    below: packed.get(root.key) ?? '',
  }));
  await upsertMapNodes(tx, map, roots);
  return roots;
}

/** `packed`: the groups in the rows of 1-byte prefixes. `others`: the groups that these rows lack. */
async function readGroups(
  tx: Tx,
  map: ProjectMap,
  prefixes: readonly string[],
): Promise<{ packed: PackedGroup[]; others: PackedGroup[] }> {
  const packed = await readPackedNodes(tx, map, prefixes);
  const found = new Set(packed.map(({ prefix }) => prefix));
  const rest = prefixes.filter((prefix) => !found.has(prefix));
  return { packed, others: rest.length === 0 ? [] : await readNodesBelow(tx, map, rest) };
}

/** Reads groups after this transaction has changed `nodes`. The rows of their roots are not changed yet. */
async function readChangedGroups(
  tx: Tx,
  map: ProjectMap,
  { prefixes, nodes }: { prefixes: readonly string[]; nodes: readonly EntryRow[] },
): Promise<PackedGroup[]> {
  const { packed, others } = await readGroups(tx, map, prefixes);
  const merge = ({ prefix, packed: before }: PackedGroup) => {
    const changed = nodes.filter(({ key }) => key.startsWith(prefix));
    return { prefix, packed: mergeRows(before, changed) };
  };
  return [...packed.map(merge), ...others];
}

/** Reads the roots below 1-byte prefixes, in a map without gaps. Completes some rows of an earlier version. */
export async function readPrefixGroups(
  tx: Tx,
  map: ProjectMap,
  prefixes: readonly string[],
): Promise<PackedGroup[]> {
  const { packed, others } = await readGroups(tx, map, prefixes);
  if (others.length > 0) await packNodes(tx, map, others.slice(0, GROUPS_AT_ONCE));
  return [...packed, ...others];
}

/** Stores the buckets of prefixes whose rows lack them. `groups`: all leaves below these prefixes. */
export async function storeBuckets(tx: Tx, map: ProjectMap, groups: readonly PackedGroup[]): Promise<void> {
  const nodes = await toNodes(groups.slice(0, GROUPS_AT_ONCE), new Map());
  const packed = nodes.map(({ key, below = '' }) => ({ prefix: key, packed: below }));
  if (packed.length > 0) await packNodes(tx, map, packed);
}

/** Replaces the members of a packed group that have the keys of `rows`, and adds the other rows. */
function mergeRows(packed: string, rows: readonly EntryRow[]): string {
  const keyDigits = rows[0]?.key.length;
  if (keyDigits === undefined) return packed;
  const digits = keyDigits + 2 * HASH_BYTES;
  const merged = new Map<string, string>();
  for (let at = 0; at < packed.length; at += digits)
    merged.set(packed.slice(at, at + keyDigits), packed.slice(at, at + digits));
  for (const { key, hash } of rows) merged.set(key, key + hash);
  return [...merged.values()].sort().join('');
}

/**
 * Does not update the roots over 1-byte prefixes. `names`: number of new keys. `nodes`: the new roots over 2-byte
 * prefixes.
 */
async function addRecords(
  tx: Tx,
  map: ProjectMap,
  { additions, buckets }: Pick<ShortAdditions, 'additions' | 'buckets'>,
): Promise<{ names: number; nodes: EntryRow[] }> {
  const keys = [...new Set(additions.map(({ key }) => key))];
  if (keys.length === 0) return { names: 0, nodes: [] };
  const kept = await readMentions(tx, map, keys);
  const held = new Map(kept.map((row) => [row.key, toChains(row)]));
  await mapYielding(additions, ({ key, chain, count, digest }) => {
    const chains = held.get(key) ?? Array.from({ length: count }, emptyChain);
    chains[chain] = extendChain(chains[chain] ?? emptyChain(), `sha256:${digest}`, createSha256);
    held.set(key, chains);
  });
  await upsertMentions(tx, map, await mapYielding([...held], toRow));
  const changed = await readBucketLeaves(tx, map, bucketsOf(keys, buckets));
  const nodes = await toNodes(changed, buckets);
  await upsertMapNodes(tx, map, nodes);
  return { names: held.size - kept.length, nodes };
}

/** `chain`: the index of the chain in the entry of `key`. `count`: the number of chains in that entry. */
interface Addition {
  key: string;
  chain: number;
  count: number;
  digest: string;
}

/** Indexes of the chains in the entry of an identifier. Version 1 has no attributions. */
const MADE = 0;
const USED = 1;
const ATTRIBUTED = 2;

/** `to`: the end of the leaves with these additions. */
interface Additions {
  additions: Addition[];
  to: number;
}

interface ShortAdditions extends Additions {
  buckets: Buckets;
}

/**
 * Does the same as `readAdditions`, but reads fewer leaves if the service would otherwise hash too many leaves again.
 */
async function readShortAdditions(tx: Tx, map: ProjectMap, span: Span): Promise<ShortAdditions> {
  for (let maxNames = NAMES_AT_ONCE; ; ) {
    const read = await readAdditions(tx, map, { ...span, maxNames });
    const keys = read.additions.map(({ key }) => key);
    const buckets = await readBuckets(tx, map, prefixesOf(keys, LONG_PREFIX));
    const changed = bucketsOf(keys, buckets);
    const { short } = await countShort(tx, map, { keys: changed, buckets });
    if (short === changed.length || read.to <= span.from + 1) return { ...read, buckets };
    maxNames = Math.floor((maxNames * short) / changed.length / 2) || 1;
  }
}

function bucketsOf(keys: readonly string[], buckets: Buckets): string[] {
  return [...new Set([...new Set(keys)].map((key) => bucketOf(key, buckets)))];
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
