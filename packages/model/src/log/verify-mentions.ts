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

/**
 * Returns the reason why the proof does not show that a bundle is complete, or undefined when it does. If the bundle
 * states that it is incomplete, the function checks only the entries of the proof.
 */
export function findMentionFault(
  claim: ClaimedBundle,
): 'unstatedName' | 'otherMentions' | 'leftOut' | undefined {
  const { statement, byName } = claim.proof.mentions;
  const map = { root: toHash(statement.root), names: statement.names };
  const byAction = Object.entries(actionEntries(claim.proof.mentions) ?? {});
  const entries = [
    ...Object.entries(byName).map(([name, entry]) => ({ key: mentionKey(name), entry })),
    ...byAction.map(([id, entry]) => ({ key: actionKey(id), entry })),
  ];
  if (!entries.every(({ key, entry }) => isCommitted(key, entry, map))) return 'otherMentions';
  if (!isStated(claim)) return 'unstatedName';
  if (!claim.complete) return undefined;
  return isWholeHistory(claim, isChainOf) ? undefined : 'leftOut';
}

/**
 * Whether the proof has an entry for each identifier that the bundle uses. In version 2, the proof also needs entries
 * for each action, and for the canonical CID of each alias.
 */
function isStated({ cid, actions, aliases, proof: { mentions } }: ClaimedBundle): boolean {
  const named = actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids]);
  const names = new Set(Object.keys(mentions.byName));
  if (![...named, cid, ...Object.keys(aliases)].every((name) => names.has(name))) return false;
  const byAction = actionEntries(mentions);
  if (byAction === undefined) return true;
  const ids = new Set(Object.keys(byAction));
  return Object.values(aliases).every((name) => names.has(name)) && actions.every(({ id }) => ids.has(id));
}

/** A chain in a proof. */
type Chain = NamedMentions['made'];

/** The actions and attributions of a history with their leaves, and the map's entries for its identifiers. */
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

/** `byAction` is present in version 2. */
interface MapEntries {
  byName: Readonly<Record<string, { made: Chain; used: Chain; attributed?: Chain }>>;
  byAction?: Readonly<Record<string, { attributed: Chain }>>;
}

/** The members of an action that determine the walk through a history. */
interface MappedAction {
  id: string;
  inputCids: string[];
  outputCids: string[];
}

/** A record that a chain covers. */
interface ChainedRecord {
  digest: string;
}

/** Compares a chain of the map with records in the order of their leaves. */
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
  const steps = checkWholeHistory(history, isOf);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Checks the same as `isWholeHistory`, but pauses after each content and each action. So the caller can do other work in
 * between. The result of the generator is that of `isWholeHistory`.
 *
 * @example
 * const mentions = { statement: { leaves: 0 }, byName: {} };
 * const proof = { direction: 'ancestors', records: [], mentions };
 * [...checkWholeHistory({ cid: 'a', aliases: {}, actions: [], proof }, () => true)].length; // => 1
 */
export function* checkWholeHistory(
  history: MappedHistory,
  isOf: CompareChain,
): Generator<void, boolean, void> {
  for (const way of waysOf(history)) if (!(yield* isWhole(history, way, isOf))) return false;
  return yield* hasAttributions(history, isOf);
}

/**
 * Whether the map has exactly these chains for the key. For chains that are all empty, returns whether the map has no
 * entry for the key.
 */
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

/** Returns the chains of a map entry in the order in which the hash of the entry covers them. */
function inOrder({ made, used, attributed }: { made?: Chain; used?: Chain; attributed?: Chain }): Chain[] {
  return [made, used, attributed].filter((chain) => chain !== undefined);
}

function actionEntries(mentions: ClaimedBundle['proof']['mentions']) {
  return 'byAction' in mentions ? mentions.byAction : undefined;
}

/**
 * A direction through a history. ANCESTORS goes from a content to the actions that made it, and then to their inputs.
 * DESCENDANTS goes from a content to the actions that used it, and then to their outputs.
 */
interface Way {
  chain: 'made' | 'used';
  from: 'outputCids' | 'inputCids';
  to: 'outputCids' | 'inputCids';
}

const ANCESTORS: Way = { chain: 'made', from: 'outputCids', to: 'inputCids' };
const DESCENDANTS: Way = { chain: 'used', from: 'inputCids', to: 'outputCids' };

function waysOf({ proof: { direction } }: MappedHistory): Way[] {
  if (direction === 'both') return [ANCESTORS, DESCENDANTS];
  return [direction === 'ancestors' ? ANCESTORS : DESCENDANTS];
}

/** Whether the bundle has exactly the actions of the map, for each content that this direction reaches. */
function* isWhole(
  history: MappedHistory,
  { chain, from, to }: Way,
  isOf: CompareChain,
): Generator<void, boolean, void> {
  const { cid, proof } = history;
  const said = new Map(Object.entries(proof.mentions.byName));
  const { canonicalOf, namesOf } = readAliases(history);
  const actionsOf = groupByName(placeRecords(history, 'action', history.actions), from);
  const reached = new Set([canonicalOf(cid)]);
  const followed = new Set<string>();
  for (const content of reached) {
    for (const name of namesOf(content)) {
      const actions = actionsOf.get(name) ?? [];
      if (!isOf(said.get(name)?.[chain], covered(history, actions))) return false;
      // Many contents can lead to the same action, so the walk follows each action only once.
      for (const action of actions.filter(({ id }) => !followed.has(id))) {
        followed.add(action.id);
        for (const next of action[to]) reached.add(canonicalOf(next));
      }
    }
    yield;
  }
  return true;
}

/** Whether the bundle has exactly the attributions of the map, for each of its actions and contents. */
function* hasAttributions(history: MappedHistory, isOf: CompareChain): Generator<void, boolean, void> {
  const { cid, actions, attributions = [], proof } = history;
  const { byName, byAction } = proof.mentions;
  if (byAction === undefined) return true;
  const { canonicalOf, namesOf } = readAliases(history);
  const targets = attributions.map(({ id, actionId, resourceCid }) => ({
    id,
    actions: typeof actionId === 'string' ? [actionId] : [],
    names: typeof resourceCid === 'string' ? [resourceCid] : [],
  }));
  const placed = placeRecords(history, 'attribution', targets);
  const [ofActions, ofNames] = [groupByName(placed, 'actions'), groupByName(placed, 'names')];
  const isAll = (stated: Chain | undefined, found: readonly Placed[] = []) =>
    isOf(stated, covered(history, found));
  const stated = { actions: new Map(Object.entries(byAction)), names: new Map(Object.entries(byName)) };
  const contents = new Set([canonicalOf(cid)]);
  for (const { id, inputCids, outputCids } of actions) {
    if (!isAll(stated.actions.get(id)?.attributed, ofActions.get(id))) return false;
    for (const name of [...inputCids, ...outputCids]) contents.add(canonicalOf(name));
    yield;
  }
  for (const name of [...contents].flatMap(namesOf)) {
    if (!isAll(stated.names.get(name)?.attributed, ofNames.get(name))) return false;
    yield;
  }
  return true;
}

function readAliases({ aliases }: MappedHistory) {
  const canonicalOf = (name: string) => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name);
  const named = Object.keys(aliases).map((alias) => ({ alias, names: [canonicalOf(alias)] }));
  const aliasesOf = groupByName(named, 'names');
  const namesOf = (content: string) => [content, ...(aliasesOf.get(content) ?? []).map(({ alias }) => alias)];
  return { canonicalOf, namesOf };
}

type Placed = ChainedRecord & { leafIndex: number };

/** Returns the records with their digests and leaves, in the order of the leaves. */
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
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [item]);
      else group.push(item);
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
