import {
  createMap,
  emptyChain,
  type MapEntry,
  type MapStep,
  mentionKey,
  type NamedMentions,
  toBase64,
  walkMap,
} from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import { toEntry, toMentions } from './mention-index.js';
import { readLeavesBelow, readMentions, readNodesBelow } from './mentions.sql.js';
import { createSha256 } from './tree-reader.js';

/**
 * Returns the map's entry for each name, with its Merkle path. `top`: the roots over 1-byte prefixes. The caller
 * must hold the lock on the map.
 */
export async function proveMentions(
  db: Queryable,
  projectId: string,
  { names, top }: { names: readonly string[]; top: readonly MapEntry[] },
): Promise<Record<string, NamedMentions>> {
  const keys = names.map((name) => mentionKey(name, createSha256));
  const walks = await walkTo(db, projectId, { keys, top });
  const ends = walks.map(({ end }) => toHex(end));
  const rows = await readMentions(
    db,
    projectId,
    [...new Set(ends)].filter((end) => end !== ''),
  );
  const held = new Map(rows.map((row) => [row.key, row]));
  const entries = names.map((name, place) => {
    const { key, path } = walks[place] ?? { key: new Uint8Array(), path: [] };
    const row = held.get(ends[place] ?? '');
    const steps = path.map(({ bit, hash }) => ({ bit, hash: toBase64(hash) }));
    const isOwn = row !== undefined && row.key === toHex(key);
    const { made, used } = isOwn ? toMentions(row) : { made: emptyChain(), used: emptyChain() };
    const other =
      row === undefined || isOwn
        ? {}
        : { other: { key: fromHexToBase64(row.key), value: fromHexToBase64(row.value) } };
    return [name, { made: toWire(made), used: toWire(used), path: steps, ...other }] as const;
  });
  return Object.fromEntries(entries);
}

interface MapWalk {
  key: Uint8Array;
  /** Prefix or key that the walk has reached. Empty when the map is empty. */
  end: Uint8Array;
  path: MapStep[];
}

/** Walks from the root over the 1-byte and the 2-byte prefixes to the leaves. */
async function walkTo(
  db: Queryable,
  projectId: string,
  { keys, top }: { keys: readonly Uint8Array[]; top: readonly MapEntry[] },
): Promise<MapWalk[]> {
  const begun = keys.map((key): MapWalk => ({ key, end: new Uint8Array(), path: [] }));
  const atShort = walkOn(begun, top);
  const nodes = (await readNodesBelow(db, projectId, endsOf(atShort))).map(toEntry);
  const atLong = walkOn(atShort, nodes);
  const leaves = (await readLeavesBelow(db, projectId, endsOf(atLong))).map(toEntry);
  return walkOn(atLong, leaves);
}

/** Continues each walk among the entries whose keys begin with its prefix. */
function walkOn(walks: readonly MapWalk[], entries: readonly MapEntry[]): MapWalk[] {
  const [prefixBytes = 0] = walks.map(({ end }) => end.length);
  const groups = new Map<string, MapEntry[]>();
  for (const entry of entries) {
    const prefix = toHex(entry.key.subarray(0, prefixBytes));
    const group = groups.get(prefix);
    if (group === undefined) groups.set(prefix, [entry]);
    else group.push(entry);
  }
  const maps = new Map([...groups].map(([prefix, group]) => [prefix, createMap(group, createSha256)]));
  return walks.map((walk) => {
    const prefix = toHex(walk.end);
    const map = maps.get(prefix);
    if (map === undefined) return walk;
    const { place, path } = walkMap(map, walk.key);
    return { ...walk, end: groups.get(prefix)?.[place]?.key ?? walk.end, path: [...path, ...walk.path] };
  });
}

function endsOf(walks: readonly MapWalk[]): string[] {
  return [...new Set(walks.map(({ end }) => toHex(end)).filter((end) => end !== ''))];
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function fromHexToBase64(hex: string): string {
  return toBase64(Buffer.from(hex, 'hex'));
}

function toWire({ count, head }: { count: number; head: Uint8Array }): NamedMentions['made'] {
  return { count, head: toBase64(head) };
}
