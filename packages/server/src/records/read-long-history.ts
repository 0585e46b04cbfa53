import type { Queryable } from '../db/database.js';
import { MAX_ANSWER_BYTES } from './answer-size.js';
import { cutHistory, type WholeHistory } from './cut-history.js';
import type { BundleTerms } from './histories.sql.js';
import {
  type ActionKey,
  type AttributionKey,
  follow,
  type NamedKey,
  type Rendered,
  readActionKeys,
  readAliases,
  readAttributionsOfActions,
  readAttributionsOfContent,
  readEntityKeys,
  readEventIds,
  readResourceKeys,
  readRoot,
  readSessionKeys,
  renderRecords,
  type Trail,
  toTrail,
  type Way,
} from './long-histories.sql.js';

/** What one statement is asked for at most: items, and bytes of JSON. */
const STEP_ITEMS = 100;
const STEP_BYTES = 256 * 1024;

/** The lists of a history as the texts of their items. */
export interface HistoryTexts {
  /** The canonical CID of what was asked for; undefined for a session. */
  root: string | undefined;
  counts: Record<Rendered, number>;
  texts: Record<Rendered, string>;
  aliases: ReadonlyMap<string, string>;
  isComplete: boolean;
}

/** Where a history is read. */
export interface HistorySource {
  db: Queryable;
  projectId: string;
  /** So many items are asked for by one statement; 100 when absent. */
  stepItems?: number | undefined;
}

/**
 * The history of content, of any length, in statements of some milliseconds each. Nothing that was committed before is
 * missing; what is committed meanwhile may be in it. Undefined when the project knows nothing of it.
 */
export async function readLongBundle(source: HistorySource, terms: BundleTerms): Promise<HistoryTexts> {
  const { limit } = terms;
  const root = await readRoot(source.db, source.projectId, terms.cid);
  const ways: Way[] = terms.direction === 'both' ? ['ancestors', 'descendants'] : [terms.direction];
  const walks: Walk[] = [];
  for (const way of ways) walks.push(await walk(source, { way, root, depth: terms.depth, most: limit + 1 }));
  const events = await readEventIds(source.db, source.projectId, { cid: root, limit: limit + 1 });
  const ids = [...new Set([...interleave(walks.map(({ near }) => near)), ...events])];
  const known = new Map(walks.flatMap(({ keys }) => [...keys]));
  const kept = ids.slice(0, limit);
  const missing = kept.filter((id) => !known.has(id));
  for (const key of await readKeys(source, missing, weigh(known.values()))) known.set(key.id, key);
  const actions = kept.flatMap((id) => known.get(id) ?? []);
  const isMore = ids.length > limit || actions.length < kept.length || walks.some(({ isBeyond }) => isBeyond);
  const asked = terms.cid === root ? [] : [[terms.cid, root] as const];
  return render(source, { root, actions, isMore, asked });
}

/** The same of what was recorded in a session. */
export async function readLongSession(
  source: HistorySource,
  { sessionId, limit }: { sessionId: string; limit: number },
): Promise<HistoryTexts> {
  const actions: ActionKey[] = [];
  for (;;) {
    const terms = {
      sessionId,
      after: actions.at(-1),
      limit: Math.min(source.stepItems ?? STEP_ITEMS, limit + 1 - actions.length),
    };
    const found = await readSessionKeys(source.db, source.projectId, terms);
    actions.push(...found);
    if (found.length < terms.limit || actions.length > limit) break;
  }
  const isMore = actions.length > limit;
  return render(source, { root: undefined, actions: actions.slice(0, limit), isMore, asked: [] });
}

interface Walk {
  /** Actions within the depth, nearest first. */
  near: string[];
  keys: Map<string, ActionKey>;
  isBeyond: boolean;
}

/** Walks one way, level by level, up to `most` actions, and looks one level beyond the depth. */
async function walk(
  source: HistorySource,
  { way, root, depth, most }: { way: Way; root: string; depth: number | undefined; most: number },
): Promise<Walk> {
  const seen = new Set<string>();
  const reached = new Set([root]);
  const keys = new Map<string, ActionKey>();
  let near: string[] = [];
  let frontier = [root];
  for (let level = 1; frontier.length > 0; level++) {
    const before = seen.size;
    await findActions(source, { way, cids: frontier, seen, most });
    if (depth !== undefined && level > depth) return { near, keys, isBeyond: seen.size > before };
    near = [...seen];
    if (near.length >= most) break;
    const found = await readKeys(source, near.slice(before), weigh(keys.values()));
    for (const key of found) keys.set(key.id, key);
    // The rest is not shown.
    if (found.length < near.length - before) break;
    frontier = found.flatMap(({ inputs, outputs }) => (way === 'ancestors' ? inputs : outputs));
    frontier = [...new Set(frontier)].filter((cid) => !reached.has(cid));
    for (const cid of frontier) reached.add(cid);
  }
  return { near, keys, isBeyond: false };
}

/** Actions until they are more than an answer holds, when there were so many bytes of them before. */
async function readKeys(
  source: HistorySource,
  ids: readonly string[],
  bytesBefore: number,
): Promise<ActionKey[]> {
  const keys: ActionKey[] = [];
  let bytes = bytesBefore;
  for (const part of inParts(source, ids)) {
    if (bytes > MAX_ANSWER_BYTES) break;
    const found = await readActionKeys(source.db, source.projectId, part);
    bytes += weigh(found);
    keys.push(...found);
  }
  return keys;
}

function weigh(keys: Iterable<ActionKey>): number {
  let sum = 0;
  for (const { bytes } of keys) sum += bytes;
  return sum;
}

/** Adds the actions that made or used some content, until there are `most`. */
async function findActions(
  source: HistorySource,
  { way, cids, seen, most }: { way: Way; cids: readonly string[]; seen: Set<string>; most: number },
): Promise<void> {
  const waiting: Trail[] = cids.map(toTrail);
  while (waiting.length > 0 && seen.size < most) {
    const trails = waiting.splice(0, source.stepItems ?? STEP_ITEMS);
    const { ids, unfinished } = await follow(source.db, source.projectId, { way, trails });
    for (const one of ids) seen.add(one);
    waiting.push(...unfinished);
  }
}

/** The first of each list, then the second of each, and so on. */
function interleave(lists: readonly string[][]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
}

interface Found {
  root: string | undefined;
  actions: ActionKey[];
  isMore: boolean;
  asked: readonly (readonly [string, string])[];
}

async function render(source: HistorySource, { root, actions, isMore, asked }: Found): Promise<HistoryTexts> {
  const whole = await readAround(source, { root, actions });
  const kept = cutHistory(whole, MAX_ANSWER_BYTES);
  const cids = new Set(root === undefined ? [] : [root]);
  for (const { inputs, outputs } of kept.actions) for (const cid of [...inputs, ...outputs]) cids.add(cid);
  const ids = new Set([
    ...kept.actions.map(({ performedBy }) => performedBy),
    ...kept.attributions.map(({ entityId }) => entityId),
  ]);
  const keys: Record<Rendered, NamedKey[]> = {
    actions: kept.actions,
    attributions: kept.attributions,
    entities: [...ids].flatMap((id) => whole.entities.get(id) ?? []),
    resources: [...cids].flatMap((cid) => whole.resources.get(cid) ?? []),
  };
  const texts: Record<Rendered, string> = { actions: '', attributions: '', entities: '', resources: '' };
  const kinds = Object.keys(texts) as Rendered[];
  for (const kind of kinds) texts[kind] = await renderList(source, kind, keys[kind]);
  return {
    root,
    counts: {
      actions: keys.actions.length,
      entities: keys.entities.length,
      resources: keys.resources.length,
      attributions: keys.attributions.length,
    },
    texts,
    aliases: new Map([...(await readUsedAliases(source, kept)), ...asked]),
    isComplete:
      !isMore &&
      kept.actions.length === actions.length &&
      kept.attributions.length === whole.attributions.length,
  };
}

/** What is shown with the actions of a history, as keys. */
async function readAround(
  source: HistorySource,
  { root, actions }: { root: string | undefined; actions: ActionKey[] },
): Promise<WholeHistory> {
  const attributions = new Map<string, AttributionKey>();
  const add = (keys: readonly AttributionKey[]) => {
    for (const key of keys) attributions.set(key.id, key);
  };
  for (const part of inParts(
    source,
    actions.map(({ id }) => id),
  ))
    add(await readAttributionsOfActions(source.db, source.projectId, part));
  const cids = new Set(root === undefined ? [] : [root]);
  for (const { inputs, outputs } of actions) for (const cid of [...outputs, ...inputs]) cids.add(cid);
  const resources = new Map<string, NamedKey>();
  for (const part of inParts(source, [...cids])) {
    for (let page = 0, isFull = true; isFull; page++) {
      const found = await readAttributionsOfContent(source.db, source.projectId, { cids: part, page });
      add(found.attributions);
      isFull = found.isFull;
    }
    for (const key of await readResourceKeys(source.db, source.projectId, part)) resources.set(key.id, key);
  }
  const named = new Set(actions.map(({ performedBy }) => performedBy));
  for (const { entityId } of attributions.values()) named.add(entityId);
  const entities = new Map<string, NamedKey>();
  for (const part of inParts(source, [...named]))
    for (const key of await readEntityKeys(source.db, source.projectId, part)) entities.set(key.id, key);
  return { actions, attributions: [...attributions.values()], entities, resources, root };
}

/** The list oldest first, rendered in parts. */
async function renderList(source: HistorySource, kind: Rendered, keys: readonly NamedKey[]): Promise<string> {
  const sorted = keys
    .map(({ id, at, bytes }) => ({ id, at, bytes, name: Buffer.from(id) }))
    .sort((a, b) => a.at - b.at || Buffer.compare(a.name, b.name));
  const texts: string[] = [];
  for (const part of inParts(source, sorted, ({ bytes }) => bytes)) {
    const ids = part.map(({ id }) => id);
    texts.push(await renderRecords(source.db, source.projectId, { kind, ids }));
  }
  return texts.join(', ');
}

async function readUsedAliases(
  source: HistorySource,
  kept: { actions: ActionKey[]; attributions: AttributionKey[] },
): Promise<[string, string][]> {
  const found: [string, string][] = [];
  const look = async (actions: string[], attributions: string[]) => {
    const rows = await readAliases(source.db, source.projectId, { actions, attributions });
    for (const { alias, cid } of rows) found.push([alias, cid]);
  };
  for (const part of inParts(
    source,
    kept.actions.map(({ id }) => id),
  ))
    await look(part, []);
  for (const part of inParts(
    source,
    kept.attributions.map(({ id }) => id),
  ))
    await look([], part);
  return found;
}

/** In parts that a statement is asked for. */
function inParts<Item>(
  { stepItems = STEP_ITEMS }: HistorySource,
  items: readonly Item[],
  weigh: (item: Item) => number = () => 0,
): Item[][] {
  const parts: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const last = parts.at(-1);
    bytes += weigh(item);
    if (last !== undefined && last.length < stepItems && bytes <= STEP_BYTES) last.push(item);
    else {
      parts.push([item]);
      bytes = weigh(item);
    }
  }
  return parts;
}
