import { fromBase64 } from '../base64.js';
import type { NamedMentions } from './bundle-proof.js';
import type { ClaimedBundle } from './claimed-bundle.js';
import { verifyWalk } from './mention-map.js';
import {
  emptyChain,
  extendChain,
  type MentionChain,
  mapLeafHash,
  mentionKey,
  mentionValue,
} from './mentions.js';
import { emptyRoot, equalBytes } from './tree-hash.js';

/**
 * Returns the reason why the proof does not show that a bundle is complete. Returns undefined when the proof shows
 * it, or when the bundle states that it is incomplete.
 */
export function findMentionFault(
  claim: ClaimedBundle,
): 'unstatedName' | 'otherMentions' | 'leftOut' | undefined {
  const { statement, byName } = claim.proof.mentions;
  const root = toHash(statement.root);
  const said = new Map(Object.entries(byName));
  for (const [name, mentions] of said) {
    if (!isCommitted(name, mentions, { root, names: statement.names })) return 'otherMentions';
  }
  const actions = [
    ...claim.actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids]),
    ...[claim.cid, ...Object.keys(claim.aliases)],
  ];
  if (!actions.every((name) => said.has(name))) return 'unstatedName';
  if (!claim.complete) return undefined;
  return isWholeHistory(claim, isChainOf) ? undefined : 'leftOut';
}

/** The actions of a history with their leaves, and the map's entries for its identifiers. */
interface MappedHistory {
  cid: string;
  aliases: Readonly<Record<string, string>>;
  actions: readonly ChainedAction[];
  proof: {
    direction: 'ancestors' | 'descendants' | 'both';
    records: readonly { kind: string; id: string; leafIndex: number }[];
    mentions: { statement: { leaves: number }; byName: Readonly<Record<string, NamedMentions>> };
  };
}

/** The members of an action that the chains of its identifiers depend on. */
interface ChainedAction {
  id: string;
  digest: string;
  inputCids: string[];
  outputCids: string[];
}

/**
 * Whether a history has all actions of the map, for each content that the history reaches. `isOf` compares a chain
 * of the map with actions in the order of their leaves. The chain is undefined when the proof has no entry for the
 * identifier. The check ignores actions with a leaf after those that the map covers.
 *
 * @example
 * const mentions = { statement: { leaves: 0 }, byName: {} };
 * const proof = { direction: 'ancestors', records: [], mentions };
 * isWholeHistory({ cid: 'a', aliases: {}, actions: [], proof }, () => true); // => true
 */
export function isWholeHistory(
  history: MappedHistory,
  isOf: (stated: NamedMentions['made'] | undefined, actions: readonly ChainedAction[]) => boolean,
): boolean {
  return waysOf(history).every((way) => isWhole(history, way, isOf));
}

/** Whether the map has these mentions for the identifier, or no entry for it when `made` and `used` are empty. */
function isCommitted(
  name: string,
  { made, used, path, other }: NamedMentions,
  { root, names }: { root: Uint8Array; names: number },
): boolean {
  const key = mentionKey(name);
  const isNone = [made, used].every(
    (chain) => equalBytes(toHash(chain.head), emptyChain().head) && chain.count === 0,
  );
  const steps = path.map(({ bit, hash }) => ({ bit, hash: toHash(hash) }));
  if (other !== undefined) {
    const otherKey = toHash(other.key);
    const leaf = mapLeafHash(otherKey, toHash(other.value));
    return isNone && !equalBytes(otherKey, key) && verifyWalk({ key, leaf, path: steps }, root);
  }
  if (isNone) return names === 0 && path.length === 0 && equalBytes(root, emptyRoot());
  const value = mentionValue({ made: toChain(made), used: toChain(used) });
  return verifyWalk({ key, leaf: mapLeafHash(key, value), path: steps }, root);
}

/** ANCESTORS leads from a content over the actions that made it to their inputs. DESCENDANTS is the reverse. */
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

type PlacedAction = ChainedAction & { leafIndex: number };

/** Whether the bundle has exactly the actions of the map, for each content that it reaches in this direction. */
function isWhole(
  history: MappedHistory,
  { chain, from, to }: Way,
  isOf: Parameters<typeof isWholeHistory>[1],
): boolean {
  const { cid, aliases, proof } = history;
  const said = new Map(Object.entries(proof.mentions.byName));
  const canonicalOf = (name: string) => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name);
  const named = Object.keys(aliases).map((alias) => ({ alias, names: [canonicalOf(alias)] }));
  const aliasesOf = groupByName(named, 'names');
  const actionsOf = groupByName(placeActions(history), from);
  const reached = new Set([cid]);
  for (const content of reached) {
    const names = [content, ...(aliasesOf.get(content) ?? []).map(({ alias }) => alias)];
    for (const name of names) {
      const actions = actionsOf.get(name) ?? [];
      const covered = actions.filter(({ leafIndex }) => leafIndex < proof.mentions.statement.leaves);
      if (!isOf(said.get(name)?.[chain], covered)) return false;
      for (const next of actions.flatMap((action) => action[to])) reached.add(canonicalOf(next));
    }
  }
  return true;
}

function placeActions({ actions, proof }: MappedHistory): PlacedAction[] {
  const proofs = proof.records.filter(({ kind }) => kind === 'action');
  const leafOf = new Map(proofs.map(({ id, leafIndex }) => [id, leafIndex]));
  const placed = actions.map((action) => ({ ...action, leafIndex: leafOf.get(action.id) ?? 0 }));
  return placed.sort((a, b) => a.leafIndex - b.leafIndex);
}

function isChainOf(stated: NamedMentions['made'] | undefined, actions: readonly ChainedAction[]): boolean {
  const { count, head } = actions.reduce((before, { digest }) => extendChain(before, digest), emptyChain());
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

function toChain({ count, head }: NamedMentions['made']): MentionChain {
  return { count, head: toHash(head) };
}

function toHash(base64: string): Uint8Array {
  return fromBase64(base64) ?? new Uint8Array();
}
