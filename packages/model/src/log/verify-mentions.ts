import { fromBase64 } from '../base64.js';
import type { ActionMentions, NamedMentions } from './bundle-proof.js';
import type { ClaimedBundle } from './claimed-bundle.js';
import { verifyWalk } from './mention-map.js';
import {
  actionKey,
  chainsValue,
  emptyChain,
  extendChain,
  type MentionChain,
  mapLeafHash,
  mentionKey,
} from './mentions.js';
import { emptyRoot, equalBytes } from './tree-hash.js';

type Mentions = ClaimedBundle['proof']['mentions'];
/** Version 1 has no `byAction`. */
type StatedMentions = Mentions & { byAction?: Record<string, ActionMentions> };

/**
 * Returns the reason why the proof does not show that a bundle is complete. If the bundle states that it is incomplete,
 * checks only the entries of the proof.
 */
export function findMentionFault(
  claim: ClaimedBundle,
): 'unstatedName' | 'otherMentions' | 'leftOut' | undefined {
  const { statement, byName, byAction = {} }: StatedMentions = claim.proof.mentions;
  const map = { root: toHash(statement.root), names: statement.names };
  const isOfMap =
    Object.entries(byName).every(([name, entry]) => isCommitted(mentionKey(name), entry, map)) &&
    Object.entries(byAction).every(([id, entry]) => isCommitted(actionKey(id), entry, map));
  if (!isOfMap) return 'otherMentions';
  if (!isStated(claim)) return 'unstatedName';
  if (!claim.complete) return undefined;
  return isWholeHistory(claim, isChainOf) ? undefined : 'leftOut';
}

/**
 * The proof needs an entry for each identifier that the bundle uses. In version 2, also for each action, and for the
 * canonical CID of each alias.
 */
function isStated({ cid, actions, aliases, proof: { mentions } }: ClaimedBundle): boolean {
  const named = actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids]);
  const names = new Set(Object.keys(mentions.byName));
  if (![...named, cid, ...Object.keys(aliases)].every((name) => names.has(name))) return false;
  const { byAction }: StatedMentions = mentions;
  if (byAction === undefined) return true;
  const ids = new Set(Object.keys(byAction));
  return Object.values(aliases).every((name) => names.has(name)) && actions.every(({ id }) => ids.has(id));
}

type Chain = NamedMentions['made'];

interface MappedHistory {
  cid: string;
  aliases: Readonly<Record<string, string>>;
  actions: readonly MappedAction[];
  attributions?: readonly { id: string; actionId?: unknown; resourceCid?: unknown }[];
  proof: {
    direction: 'ancestors' | 'descendants' | 'both';
    records: readonly { kind: string; id: string; leafIndex: number; digest: string }[];
    mentions: MapEntries & { statement: { leaves: number } };
  };
}

/** `byAction`: version 2. */
interface MapEntries {
  byName: Readonly<Record<string, { made: Chain; used: Chain; attributed?: Chain }>>;
  byAction?: Readonly<Record<string, { attributed: Chain }>>;
}

interface MappedAction {
  id: string;
  inputCids: string[];
  outputCids: string[];
}

interface ChainedRecord {
  digest: string;
}

/** The records are in the order of their leaves. */
type CompareChain = (stated: Chain | undefined, records: readonly ChainedRecord[]) => boolean;

/**
 * Whether a history is complete. A complete history has exactly the actions that the map has for each of its contents.
 * In version 2, it also has exactly the attributions that the map has for each of its contents and actions. `isOf`
 * compares a chain of the map with records in the order of their leaves. The chain is undefined if the proof has no
 * entry. The check ignores records whose leaf comes after the leaves that the map covers.
 *
 * @example
 * const mentions = { statement: { leaves: 0 }, byName: {} };
 * const proof = { direction: 'ancestors', records: [], mentions };
 * isWholeHistory({ cid: 'a', aliases: {}, actions: [], proof }, () => true); // => true
 */
export function isWholeHistory(history: MappedHistory, isOf: CompareChain): boolean {
  for (const isRight of checkWholeHistory(history, isOf)) if (!isRight) return false;
  return true;
}

/**
 * Compares the chains like `isWholeHistory`, and yields the result of each comparison. So the caller can do other work
 * between two comparisons. The history is not complete if one result is `false`; then stop.
 *
 * @example
 * const mentions = { statement: { leaves: 0 }, byName: {} };
 * const proof = { direction: 'ancestors', records: [], mentions };
 * [...checkWholeHistory({ cid: 'a', aliases: {}, actions: [], proof }, () => true)]; // => [true]
 */
export function* checkWholeHistory(history: MappedHistory, isOf: CompareChain): Iterable<boolean> {
  for (const way of WAYS[history.proof.direction]) yield* checkActions(history, way, isOf);
  yield* checkAttributions(history, isOf);
}

/** If all chains are empty, the map must have no entry for the key. */
function isCommitted(
  key: Uint8Array,
  { path, other, ...chains }: NamedMentions | ActionMentions,
  { root, names }: { root: Uint8Array; names: number },
): boolean {
  const ordered = inOrder(chains).map(toChain);
  const isNone = ordered.every(({ count, head }) => count === 0 && equalBytes(head, emptyChain().head));
  const steps = path.map(({ bit, hash }) => ({ bit, hash: toHash(hash) }));
  if (other !== undefined) {
    const otherKey = toHash(other.key);
    const leaf = mapLeafHash(otherKey, toHash(other.value));
    return isNone && !equalBytes(otherKey, key) && verifyWalk({ key, leaf, path: steps }, root);
  }
  if (isNone) return names === 0 && path.length === 0 && equalBytes(root, emptyRoot());
  return verifyWalk({ key, leaf: mapLeafHash(key, chainsValue(ordered)), path: steps }, root);
}

/** The hash of the entry covers the chains in this order. */
function inOrder({ made, used, attributed }: { made?: Chain; used?: Chain; attributed?: Chain }): Chain[] {
  return [made, used, attributed].filter((chain) => chain !== undefined);
}

/**
 * ANCESTORS: actions that made a content, and then their inputs. DESCENDANTS: actions that used it, and then their
 * outputs.
 */
interface Way {
  chain: 'made' | 'used';
  from: 'outputCids' | 'inputCids';
  to: 'outputCids' | 'inputCids';
}

const ANCESTORS: Way = { chain: 'made', from: 'outputCids', to: 'inputCids' };
const DESCENDANTS: Way = { chain: 'used', from: 'inputCids', to: 'outputCids' };
const WAYS = {
  ancestors: [ANCESTORS],
  descendants: [DESCENDANTS],
  both: [ANCESTORS, DESCENDANTS],
};

/** The bundle must have exactly the actions of the map, for each content that this direction reaches. */
function* checkActions(
  history: MappedHistory,
  { chain, from, to }: Way,
  isOf: CompareChain,
): Iterable<boolean> {
  const { cid, proof } = history;
  const said = new Map(Object.entries(proof.mentions.byName));
  const { canonicalOf, namesOf } = readAliases(history);
  const actionsOf = groupByName(placeRecords(history, 'action', history.actions), from);
  const reached = new Set([canonicalOf(cid)]);
  const followed = new Set<MappedAction>();
  for (const content of reached) {
    for (const name of namesOf(content)) {
      const actions = actionsOf.get(name) ?? [];
      yield isOf(said.get(name)?.[chain], covered(history, actions));
      // Many contents can lead to the same action.
      for (const action of actions) {
        if (followed.has(action)) continue;
        followed.add(action);
        for (const next of action[to]) reached.add(canonicalOf(next));
      }
    }
  }
}

/** The bundle must have exactly the attributions of the map, for each action and content. */
function* checkAttributions(history: MappedHistory, isOf: CompareChain): Iterable<boolean> {
  const { cid, actions, attributions = [], proof } = history;
  const { byName, byAction } = proof.mentions;
  if (byAction === undefined) return;
  const { canonicalOf, namesOf } = readAliases(history);
  const targets = attributions.map(({ id, actionId, resourceCid }) => ({
    id,
    actions: [actionId].filter((one) => typeof one === 'string'),
    names: [resourceCid].filter((one) => typeof one === 'string'),
  }));
  const placed = placeRecords(history, 'attribution', targets);
  const [ofActions, ofNames] = [groupByName(placed, 'actions'), groupByName(placed, 'names')];
  const isAll = (stated: { attributed?: Chain } | undefined, found: readonly Placed[] = []) =>
    isOf(stated?.attributed, covered(history, found));
  const [statedActions, statedNames] = [new Map(Object.entries(byAction)), new Map(Object.entries(byName))];
  const contents = new Set([canonicalOf(cid)]);
  for (const { id, inputCids, outputCids } of actions) {
    yield isAll(statedActions.get(id), ofActions.get(id));
    for (const name of [...inputCids, ...outputCids]) contents.add(canonicalOf(name));
  }
  for (const name of [...contents].flatMap(namesOf)) {
    yield isAll(statedNames.get(name), ofNames.get(name));
  }
}

function readAliases({ aliases }: MappedHistory) {
  const pairs = Object.entries(aliases);
  const canonical = new Map(pairs);
  const canonicalOf = (name: string) => canonical.get(name) ?? name;
  const named = pairs.map(([alias, name]) => ({ alias, names: [name] }));
  const aliasesOf = groupByName(named, 'names');
  const namesOf = (content: string) => [content, ...(aliasesOf.get(content) ?? []).map(({ alias }) => alias)];
  return { canonicalOf, namesOf };
}

type Placed = ChainedRecord & { leafIndex: number };

/** Returns the records with their digests and leaf indexes, in the order of the leaves. */
function placeRecords<Item extends { id: string }>(
  { proof }: MappedHistory,
  kind: 'action' | 'attribution',
  records: readonly Item[],
): (Item & Placed)[] {
  const proofs = new Map(proof.records.filter((one) => one.kind === kind).map((one) => [one.id, one]));
  const placed = records.map((record) => {
    const { digest = '', leafIndex = 0 } = proofs.get(record.id) ?? {};
    return { ...record, digest, leafIndex };
  });
  return placed.sort((a, b) => a.leafIndex - b.leafIndex);
}

function covered<Record extends Placed>({ proof }: MappedHistory, records: readonly Record[]): Record[] {
  return records.filter(({ leafIndex }) => leafIndex < proof.mentions.statement.leaves);
}

function isChainOf(stated: Chain | undefined, records: readonly ChainedRecord[]): boolean {
  const { count, head } = records.reduce((before, { digest }) => extendChain(before, digest), emptyChain());
  return stated?.count === count && equalBytes(toHash(stated.head), head);
}

function groupByName<Member extends string, Item extends Record<Member, string[]>>(
  items: readonly Item[],
  member: Member,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    for (const name of new Set(item[member])) {
      const group = groups.get(name) ?? [];
      group.push(item);
      groups.set(name, group);
    }
  }
  return groups;
}

function toChain({ count, head }: Chain): MentionChain {
  return { count, head: toHash(head) };
}

function toHash(base64: string): Uint8Array {
  return fromBase64(base64) ?? new Uint8Array();
}
