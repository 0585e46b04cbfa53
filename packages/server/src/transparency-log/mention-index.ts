import {
  emptyChain,
  extendChain,
  type MapEntry,
  type Mentions,
  mapLeafHash,
  mapRoot,
  mentionKey,
  mentionValue,
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
  readLeavesBelow,
  readMentions,
  readNamingActions,
  readNodesBelow,
  readTopNodes,
} from './mentions.sql.js';
import { createSha256 } from './tree-reader.js';

/** Maximum number of leaves that one transaction adds to the map. */
const LEAVES_AT_ONCE = 2_000;

/** The map stores the roots over key prefixes of 4 and of 2 hex digits. */
const LONG_PREFIX = 4;
const SHORT_PREFIX = 2;

/** State of the map from content identifiers to the actions that made or used the content. */
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
export async function advanceMentions(
  tx: Tx,
  projectId: string,
  size: number,
): Promise<MapState | undefined> {
  const { leaves, names } = await lockMentionIndex(tx, projectId);
  const to = Math.max(leaves, Math.min(size, leaves + LEAVES_AT_ONCE));
  const added = to > leaves ? await addActions(tx, projectId, { from: leaves, to }) : 0;
  const state = { leaves: to, names: names + added };
  if (to > leaves) await keepIndexState(tx, projectId, state);
  return to < size ? undefined : withTop(tx, projectId, state);
}

/** Reads the map and locks it until the transaction ends. */
export async function readMap(tx: Tx, projectId: string): Promise<MapState> {
  return withTop(tx, projectId, await lockMentionIndex(tx, projectId));
}

async function withTop(tx: Tx, projectId: string, state: IndexState): Promise<MapState> {
  const top = (await readTopNodes(tx, projectId)).map(toEntry);
  return { ...state, root: toBase64(mapRoot(top, createSha256)), top };
}

/** Returns the number of identifiers that are new in the map. */
async function addActions(tx: Tx, projectId: string, span: Span): Promise<number> {
  const actions = await readNamingActions(tx, projectId, span);
  const names = [...new Set(actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids]))];
  if (names.length === 0) return 0;
  const keys = new Map(names.map((name) => [name, toHex(mentionKey(name, createSha256))]));
  const kept = await readMentions(tx, projectId, [...keys.values()]);
  const held = new Map(kept.map((row) => [row.key, toMentions(row)]));
  const extend = (name: string, chain: keyof Mentions, digest: string) => {
    const key = keys.get(name) ?? '';
    const before = held.get(key) ?? { made: emptyChain(), used: emptyChain() };
    const after = extendChain(before[chain], `sha256:${digest}`, createSha256);
    held.set(key, { ...before, [chain]: after });
  };
  for (const { digest, inputCids, outputCids } of actions) {
    for (const name of inputCids) extend(name, 'used', digest);
    for (const name of outputCids) extend(name, 'made', digest);
  }
  await keepMentions(tx, projectId, [...held].map(toRow));
  await hashPrefixes(tx, projectId, [...held.keys()]);
  return held.size - kept.length;
}

async function hashPrefixes(tx: Tx, projectId: string, keys: readonly string[]): Promise<void> {
  const below = await readLeavesBelow(tx, projectId, prefixesOf(keys, LONG_PREFIX));
  await keepMapNodes(tx, projectId, rootsBy(below, LONG_PREFIX));
  const nodes = await readNodesBelow(tx, projectId, prefixesOf(keys, SHORT_PREFIX));
  await keepMapNodes(tx, projectId, rootsBy(nodes, SHORT_PREFIX));
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

export function toMentions({ madeCount, madeHead, usedCount, usedHead }: MentionRow): Mentions {
  return {
    made: { count: madeCount, head: Buffer.from(madeHead, 'hex') },
    used: { count: usedCount, head: Buffer.from(usedHead, 'hex') },
  };
}

function toRow([key, mentions]: [string, Mentions]): MentionRow {
  const { made, used } = mentions;
  const value = mentionValue(mentions, createSha256);
  return {
    key,
    madeCount: made.count,
    madeHead: toHex(made.head),
    usedCount: used.count,
    usedHead: toHex(used.head),
    value: toHex(value),
    leafHash: toHex(mapLeafHash(Buffer.from(key, 'hex'), value, createSha256)),
  };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
