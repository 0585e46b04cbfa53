import {
  type ActionMentions,
  actionKey,
  chainsValue,
  emptyChain,
  type MapEntry,
  type MapStep,
  type MentionChain,
  mentionKey,
  type NamedMentions,
  toBase64,
} from '@colophon/model';
import type { Tx } from '../platform/db/database.js';
import { mapYielding } from '../platform/work/map-yielding.js';
import { sortYielding } from '../platform/work/sort-yielding.js';
import { createSha256 } from './create-sha256.js';
import { type Buckets, countShort, KEY_BYTES, readBucketLeaves, readBuckets, unpack } from './map-buckets.js';
import { createMapInSteps } from './map-in-steps.js';
import { NODE_KEY_BYTES, readPrefixGroups, storeBuckets, toChains } from './mention-index.js';
import { type PackedGroup, type ProjectMap, readMentions } from './mentions.sql.js';

/** The identifier of a content or, in version 2, the id of an action. */
export type MapName = { name: string } | { actionId: string };
export type KeyedName = MapName & { key: Uint8Array };

/** `byAction` is present in version 2. */
export interface MapEntries {
  byName: Record<string, NamedMentions>;
  byAction?: Record<string, ActionMentions>;
}

/**
 * `walks`: for each name, the walk through the map from its root to a bucket. `count`: number of names, from the start
 * of the list, that one transaction may prove; at least 1. `isDense`: whether the buckets that the map cannot divide
 * have too many leaves for one transaction.
 */
export interface ProofPlan {
  walks: readonly MapWalk[];
  buckets: Buckets;
  count: number;
  isDense: boolean;
}

/**
 * Returns, for each name, the map's entry with its Merkle path, or the proof that the map has no such entry. `names`:
 * the first names of the plan. The caller must hold one lock on the map during the plan and the proof.
 */
export async function proveMentions(
  tx: Tx,
  map: ProjectMap,
  { names, plan }: { names: readonly KeyedName[]; plan: ProofPlan },
): Promise<MapEntries> {
  const walks = await walkToLeaves(tx, map, { ...plan, walks: plan.walks.slice(0, names.length) });
  const ends = walks.map(({ end }) => toHex(end));
  const rows = await readMentions(
    tx,
    map,
    [...new Set(ends)].filter((end) => end !== ''),
  );
  const held = new Map(rows.map((row) => [row.key, row]));
  const toStep = createSteps();
  const byName: [string, NamedMentions][] = [];
  const byAction: [string, ActionMentions][] = [];
  await mapYielding(names, (one, place) => {
    const { key, path } = walks[place] ?? { key: new Uint8Array(), path: [] };
    const row = held.get(ends[place] ?? '');
    const isOwn = row !== undefined && row.key === toHex(key);
    const chains = isOwn ? toChains(row) : [];
    const other =
      row === undefined || isOwn
        ? {}
        : {
            other: {
              key: fromHexToBase64(row.key),
              value: toBase64(chainsValue(toChains(row), createSha256)),
            },
          };
    const steps = { path: path.map(toStep), ...other };
    if ('name' in one) byName.push([one.name, { ...toNamed(chains, map), ...steps }]);
    else byAction.push([one.actionId, { attributed: toWire(chains[0]), ...steps }]);
  });
  return {
    byName: Object.fromEntries(byName),
    ...(map.version === 1 ? {} : { byAction: Object.fromEntries(byAction) }),
  };
}

/**
 * Finds the buckets of names and counts their leaves. `names` are sorted by key. `top`: the roots over 1-byte prefixes.
 * The walk to a name that the map lacks can end in the bucket of other names. The caller must hold the lock on the map.
 */
export async function planProof(
  tx: Tx,
  map: ProjectMap,
  { names, top }: { names: readonly KeyedName[]; top: readonly MapEntry[] },
): Promise<ProofPlan> {
  const { walks, buckets } = await walkToBuckets(tx, map, { keys: names.map(({ key }) => key), top });
  const keys = endsOf(walks);
  const { short, isDense } = await countShort(tx, map, { keys, buckets });
  const beyond = new Set(keys.slice(short));
  const first = beyond.size === 0 ? -1 : walks.findIndex(({ end }) => beyond.has(toHex(end)));
  return { walks, buckets, count: first === -1 ? names.length : first, isDense };
}

/** Two paths that meet in a node have the same objects from this node to the root. */
function createSteps(): (step: MapStep) => WireStep {
  const steps = new Map<Uint8Array, WireStep>();
  return ({ bit, hash }) => {
    const known = steps.get(hash);
    if (known !== undefined) return known;
    const step = { bit, hash: toBase64(hash) };
    steps.set(hash, step);
    return step;
  };
}

/** Sorts names by their keys, so that neighbours share most nodes of their Merkle paths. */
export async function sortByKey(names: readonly MapName[], signal?: AbortSignal): Promise<KeyedName[]> {
  const keyed = await mapYielding(names, (name) => ({ ...name, key: keyOf(name) }), signal);
  return sortYielding(keyed, (one, other) => Buffer.compare(one.key, other.key));
}

function keyOf(one: MapName): Uint8Array {
  return 'name' in one ? mentionKey(one.name, createSha256) : actionKey(one.actionId, createSha256);
}

function toNamed([made, used, attributed]: readonly MentionChain[], { version }: ProjectMap) {
  const ofActions = { made: toWire(made), used: toWire(used) };
  return version === 1 ? ofActions : { ...ofActions, attributed: toWire(attributed) };
}

type WireStep = NamedMentions['path'][number];

interface MapWalk {
  key: Uint8Array;
  /** Prefix or key that the walk has reached. Empty when the map is empty. */
  end: Uint8Array;
  path: MapStep[];
}

async function walkToBuckets(
  tx: Tx,
  map: ProjectMap,
  { keys, top }: { keys: readonly Uint8Array[]; top: readonly MapEntry[] },
): Promise<Pick<ProofPlan, 'walks' | 'buckets'>> {
  const begun = keys.map((key): MapWalk => ({ key, end: new Uint8Array(), path: [] }));
  const atShort = await walkOn(begun, new Map(top.length === 0 ? [] : [['', () => top]]));
  const nodes = await readPrefixGroups(tx, map, endsOf(atShort));
  const atLong = await walkOn(atShort, toGroups(nodes, NODE_KEY_BYTES));
  const prefixes = endsOf(atLong);
  const buckets = await readBuckets(tx, map, prefixes);
  const divided = prefixes.filter((prefix) => buckets.get(prefix)?.length);
  const walks = await walkOn(
    atLong,
    new Map(divided.map((prefix) => [prefix, () => buckets.get(prefix) ?? []])),
  );
  return { walks, buckets };
}

async function walkToLeaves(
  tx: Tx,
  map: ProjectMap,
  { walks, buckets }: Pick<ProofPlan, 'walks' | 'buckets'>,
): Promise<MapWalk[]> {
  const leaves = await readBucketLeaves(tx, map, endsOf(walks));
  await storeBuckets(
    tx,
    map,
    leaves.filter(({ prefix }) => buckets.get(prefix) === null),
  );
  return walkOn(walks, toGroups(leaves, KEY_BYTES));
}

/** Maps a prefix in hex to a function that returns the entries below this prefix. */
type Groups = ReadonlyMap<string, () => readonly MapEntry[]>;

function toGroups(groups: readonly PackedGroup[], keyBytes: number): Groups {
  return new Map(groups.map((group) => [group.prefix, () => unpack(group, keyBytes)]));
}

/**
 * Continues each walk among the entries below its `end`. Groups the walks by `end`, because walks with the same `end`
 * are not always neighbours in the order of the keys.
 */
async function walkOn(walks: readonly MapWalk[], groups: Groups): Promise<MapWalk[]> {
  const placesByEnd = new Map<string, number[]>();
  for (const [at, { end }] of walks.entries()) {
    const prefix = toHex(end);
    const places = placesByEnd.get(prefix);
    if (places === undefined) placesByEnd.set(prefix, [at]);
    else places.push(at);
  }
  const continued = [...walks];
  await mapYielding([...placesByEnd], async ([prefix, places]) => {
    const entries = groups.get(prefix)?.() ?? [];
    const map = await createMapInSteps(entries);
    if (map === undefined) return;
    await mapYielding(places, (at) => {
      const walk = walks[at];
      if (walk === undefined) return;
      const { place, path } = map.walk(walk.key);
      continued[at] = { ...walk, end: entries[place]?.key ?? walk.end, path: [...path, ...walk.path] };
    });
  });
  return continued;
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

function toWire({ count, head }: MentionChain = emptyChain()): NamedMentions['made'] {
  return { count, head: toBase64(head) };
}
