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
import type { Span } from './log.sql.js';
import {
  type EntryRow,
  type IndexState,
  keepIndexState,
  keepMapNodes,
  keepMentions,
  lockMentionIndex,
  type MentionRow,
  type ProjectMap,
  readLeavesBelow,
  readMentions,
  readNamingActions,
  readNamingAttributions,
  readNodesBelow,
  readTopNodes,
} from './mentions.sql.js';
import { createSha256 } from './tile-subtrees.js';

/** Maximum number of leaves that one transaction adds to the map. */
const LEAVES_AT_ONCE = 2_000;

/** The map stores the roots over key prefixes of 4 and of 2 hex digits. */
const LONG_PREFIX = 4;
const SHORT_PREFIX = 2;

/** Bytes of a packed chain: its count and its head. */
const COUNT_BYTES = 8;
const CHAIN_BYTES = COUNT_BYTES + 32;

/** State of the map from content identifiers, and in version 2 from actions, to the records that name them. */
export interface MapState extends IndexState {
  /** Base64. */
  root: string;
  /** The roots over prefixes of 1 byte, sorted. */
  top: readonly MapEntry[];
}

/**
 * Adds the log's leaves to the map until it covers `size` leaves. Returns undefined when that takes another
 * transaction. Locks the map until the transaction ends.
 */
export async function advanceMentions(tx: Tx, map: ProjectMap, size: number): Promise<MapState | undefined> {
  const { leaves, names } = await lockMentionIndex(tx, map);
  const to = Math.max(leaves, Math.min(size, leaves + LEAVES_AT_ONCE));
  const added = to > leaves ? await addRecords(tx, map, { from: leaves, to }) : 0;
  const state = { leaves: to, names: names + added };
  if (to > leaves) await keepIndexState(tx, map, state);
  return to < size ? undefined : withTop(tx, map, state);
}

/** Reads the map and locks it until the transaction ends. */
export async function readMap(tx: Tx, map: ProjectMap): Promise<MapState> {
  return withTop(tx, map, await lockMentionIndex(tx, map));
}

async function withTop(tx: Tx, map: ProjectMap, state: IndexState): Promise<MapState> {
  const top = (await readTopNodes(tx, map)).map(toEntry);
  return { ...state, root: toBase64(mapRoot(top, createSha256)), top };
}

/** Returns the number of keys that are new in the map. */
async function addRecords(tx: Tx, map: ProjectMap, span: Span): Promise<number> {
  const additions = await readAdditions(tx, map, span);
  const keys = [...new Set(additions.map(({ key }) => key))];
  if (keys.length === 0) return 0;
  const kept = await readMentions(tx, map, keys);
  const held = new Map(kept.map((row) => [row.key, toChains(row)]));
  for (const { key, chain, count, digest } of additions) {
    const chains = held.get(key) ?? Array.from({ length: count }, emptyChain);
    chains[chain] = extendChain(chains[chain] ?? emptyChain(), `sha256:${digest}`, createSha256);
    held.set(key, chains);
  }
  await keepMentions(tx, map, [...held].map(toRow));
  await hashPrefixes(tx, map, [...held.keys()]);
  return held.size - kept.length;
}

/** A record that extends a chain: the index of the chain in the entry of the key, which has `count` chains. */
interface Addition {
  key: string;
  chain: number;
  count: number;
  digest: string;
}

/** Indexes of the chains of an identifier. Version 1 has no attributions. An action has one chain. */
const MADE = 0;
const USED = 1;
const ATTRIBUTED = 2;

/** Returns what the records of these leaves add to the map. The records of each chain are in the order of their leaves. */
async function readAdditions(tx: Tx, { projectId, version }: ProjectMap, span: Span): Promise<Addition[]> {
  const count = version === 1 ? USED + 1 : ATTRIBUTED + 1;
  const keys = new Map<string, string>();
  const ofName = (name: string, chain: number, digest: string): Addition => {
    const key = keys.get(name) ?? toHex(mentionKey(name, createSha256));
    keys.set(name, key);
    return { key, chain, count, digest };
  };
  const actions = await readNamingActions(tx, projectId, span);
  const additions = actions.flatMap(({ digest, inputCids, outputCids }) => [
    ...inputCids.map((name) => ofName(name, USED, digest)),
    ...outputCids.map((name) => ofName(name, MADE, digest)),
  ]);
  if (version === 1) return additions;
  for (const { digest, actionId, resourceCid } of await readNamingAttributions(tx, projectId, span)) {
    if (resourceCid !== null) additions.push(ofName(resourceCid, ATTRIBUTED, digest));
    if (actionId !== null)
      additions.push({ key: toHex(actionKey(actionId, createSha256)), chain: 0, count: 1, digest });
  }
  return additions;
}

async function hashPrefixes(tx: Tx, map: ProjectMap, keys: readonly string[]): Promise<void> {
  const below = await readLeavesBelow(tx, map, prefixesOf(keys, LONG_PREFIX));
  await keepMapNodes(tx, map, rootsBy(below, LONG_PREFIX));
  const nodes = await readNodesBelow(tx, map, prefixesOf(keys, SHORT_PREFIX));
  await keepMapNodes(tx, map, rootsBy(nodes, SHORT_PREFIX));
}

function prefixesOf(keys: readonly string[], digits: number): string[] {
  return [...new Set(keys.map((key) => key.slice(0, digits)))];
}

/** Returns the root of each prefix of `digits` hex digits. The entries must be sorted. */
function rootsBy(entries: readonly EntryRow[], digits: number): EntryRow[] {
  const groups = new Map<string, MapEntry[]>();
  for (const entry of entries) {
    const prefix = entry.key.slice(0, digits);
    const group = groups.get(prefix) ?? [];
    group.push(toEntry(entry));
    groups.set(prefix, group);
  }
  return [...groups].map(([key, group]) => ({ key, hash: toHex(mapRoot(group, createSha256)) }));
}

export function toEntry({ key, hash }: EntryRow): MapEntry {
  return { key: Buffer.from(key, 'hex'), hash: Buffer.from(hash, 'hex') };
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
