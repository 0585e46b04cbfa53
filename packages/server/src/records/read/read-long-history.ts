import { mapYielding } from '../../platform/work/map-yielding.js';
import { MAX_ANSWER_BYTES } from './answer-size.js';
import type { BundleQuery } from './histories.sql.js';
import { type HistorySource, STEP_BYTES, STEP_ITEMS } from './history-source.js';
import {
  type ActionKey,
  follow,
  type HistoryDirection,
  readActionKeys,
  readEventIds,
  readRoot,
  readSessionKeys,
  type TraversalPosition,
  toTrail,
} from './long-histories.sql.js';
import { type HistoryTexts, renderHistory } from './render-history.js';

/** Sees all records that were committed before the call, and perhaps some later ones. Empty for unknown content. */
export async function readLongBundle(
  source: HistorySource,
  { maxLeaved, ...options }: BundleQuery & { maxLeaved?: number },
): Promise<HistoryTexts> {
  const { limit } = options;
  const root = await readRoot(source.db, source.projectId, options.cid);
  const ways: HistoryDirection[] =
    options.direction === 'both' ? ['ancestors', 'descendants'] : [options.direction];
  const walks: HistoryWalk[] = [];
  for (const way of ways)
    walks.push(await walk(source, { way, root, depth: options.depth, most: limit + 1 }));
  const events = await readEventIds(source.db, source.projectId, { cid: root, limit: limit + 1 });
  const ids = [...new Set([...interleave(walks.map(({ near }) => near)), ...events])];
  const known = new Map(walks.flatMap(({ keys }) => [...keys]));
  const kept = ids.slice(0, limit);
  const missing = kept.filter((id) => !known.has(id));
  for (const key of await readKeys(source, missing, weigh(known.values()))) known.set(key.id, key);
  const actions = kept.flatMap((id) => known.get(id) ?? []);
  const isMore = ids.length > limit || actions.length < kept.length || walks.some(({ isBeyond }) => isBeyond);
  const asked = options.cid === root ? [] : [[options.cid, root] as const];
  return renderHistory(source, { root, actions, isMore, asked, maxLeaved });
}

export async function readLongSession(
  source: HistorySource,
  { sessionId, limit }: { sessionId: string; limit: number },
): Promise<HistoryTexts> {
  const actions: ActionKey[] = [];
  for (;;) {
    const options = {
      sessionId,
      after: actions.at(-1),
      limit: Math.min(source.stepItems ?? STEP_ITEMS, limit + 1 - actions.length),
    };
    const found = await readSessionKeys(source.db, source.projectId, options);
    actions.push(...found);
    if (found.length < options.limit || actions.length > limit) break;
  }
  const isMore = actions.length > limit;
  return renderHistory(source, { root: undefined, actions: actions.slice(0, limit), isMore, asked: [] });
}

/** Number of actions in the first statement of `readKeys`. */
const FIRST_ACTIONS = 8;

interface HistoryWalk {
  /** Within the depth, nearest first. */
  near: string[];
  keys: Map<string, ActionKey>;
  isBeyond: boolean;
}

/** Reads the actions up to the depth, and one more level to find out whether the history continues there. */
async function walk(
  source: HistorySource,
  {
    way,
    root,
    depth,
    most,
  }: { way: HistoryDirection; root: string; depth: number | undefined; most: number },
): Promise<HistoryWalk> {
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
    // The actions already exceed `MAX_ANSWER_BYTES`.
    if (found.length < near.length - before) break;
    frontier = [];
    await mapYielding(found, ({ inputs, outputs }) => {
      for (const cid of way === 'ancestors' ? inputs : outputs) {
        if (reached.has(cid)) continue;
        reached.add(cid);
        frontier.push(cid);
      }
    });
  }
  return { near, keys, isBeyond: false };
}

/** Ends when the actions exceed `MAX_ANSWER_BYTES`. `bytesBefore`: size of earlier actions. */
async function readKeys(
  source: HistorySource,
  ids: readonly string[],
  bytesBefore: number,
): Promise<ActionKey[]> {
  const keys: ActionKey[] = [];
  const { stepItems = STEP_ITEMS } = source;
  let bytes = bytesBefore;
  // The first actions show the average size, which decides how many the next statements request.
  let count = Math.min(FIRST_ACTIONS, stepItems);
  for (let at = 0; at < ids.length && bytes <= MAX_ANSWER_BYTES; ) {
    const found = await readActionKeys(source.db, source.projectId, ids.slice(at, at + count));
    at += count;
    bytes += weigh(found);
    keys.push(...found);
    const mostOfSize = Math.floor((STEP_BYTES * keys.length) / Math.max(1, bytes - bytesBefore));
    count = Math.max(1, Math.min(mostOfSize, stepItems));
  }
  return keys;
}

function weigh(keys: Iterable<ActionKey>): number {
  let sum = 0;
  for (const { bytes } of keys) sum += bytes;
  return sum;
}

/** Adds actions to `seen` until it has at least `most` of them. */
async function findActions(
  source: HistorySource,
  {
    way,
    cids,
    seen,
    most,
  }: { way: HistoryDirection; cids: readonly string[]; seen: Set<string>; most: number },
): Promise<void> {
  const { stepItems = STEP_ITEMS } = source;
  const waiting: TraversalPosition[] = [];
  for (let at = 0; (at < cids.length || waiting.length > 0) && seen.size < most; at += stepItems) {
    const fresh = cids.slice(at, at + stepItems).map(toTrail);
    const trails = [...fresh, ...waiting.splice(0, stepItems - fresh.length)];
    const { ids, unfinished } = await follow(source.db, source.projectId, { way, trails });
    for (const one of ids) seen.add(one);
    waiting.push(...unfinished);
  }
}

function interleave(lists: readonly string[][]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
}
