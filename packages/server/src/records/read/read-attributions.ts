import { type HistorySource, inParts } from './history-source.js';
import {
  type AttributionKey,
  type AttributionPosition,
  MOST_ROWS,
  readAttributionsOfActions,
  readAttributionsOfContent,
} from './long-histories.sql.js';

/** `bytes`: of JSON. `items`: records. */
interface Size {
  bytes: number;
  items: number;
}

interface AttributionQuery {
  by: 'action' | 'content';
  /** Nearest first. */
  ids: readonly string[];
  /** The limits of the response. */
  most: Size;
  /** Ids of attributions that the result omits. */
  known?: ReadonlySet<string>;
}

interface FoundAttributions {
  attributions: AttributionKey[];
  /** False when the read ended at a limit. */
  hasAll: boolean;
}

/**
 * Ends at the first action or content at which the attributions exceed a limit. The result can lack attributions of
 * this last one, but a caller that truncates it to the same limits gets the same list.
 */
export async function readAttributions(
  source: HistorySource,
  { ids, ...query }: AttributionQuery,
): Promise<FoundAttributions> {
  const attributions: AttributionKey[] = [];
  const used: Size = { bytes: 0, items: 0 };
  for (const part of inParts(source, ids)) {
    const { lists, hasAll } = await readPart(source, { ...query, ids: part }, used);
    for (const list of lists) {
      add(used, list.size);
      for (const key of list.found) attributions.push(key);
    }
    if (!hasAll) return { attributions, hasAll };
  }
  return { attributions, hasAll: true };
}

interface AttributionList extends AttributionPosition {
  place: number;
  /** Includes known attributions. */
  count: number;
  found: AttributionKey[];
  size: Size;
}

const READS = { action: readAttributionsOfActions, content: readAttributionsOfContent };
const ID = { action: 'actionId', content: 'cid' } as const;

/** `used`: size of the attributions of earlier ids. */
async function readPart(
  { db, projectId }: HistorySource,
  { by, ids, most, known }: AttributionQuery,
  used: Size,
): Promise<{ lists: AttributionList[]; hasAll: boolean }> {
  const lists = ids.map((id, place): AttributionList => {
    return { id, place, count: 0, last: undefined, found: [], size: { bytes: 0, items: 0 } };
  });
  const byId = new Map<string | null, AttributionList>(lists.map((list) => [list.id, list]));
  let end = lists.length;
  for (let open = lists; open.length > 0; ) {
    const limit = Math.max(1, Math.floor(MOST_ROWS / open.length));
    const before = new Map(open.map(({ id, count }) => [id, count]));
    for (const key of await READS[by](db, projectId, { positions: open, limit })) {
      const list = byId.get(key[ID[by]]);
      if (list !== undefined) append(list, key, known);
    }
    end = firstBeyond(lists, used, most);
    // A response shows nothing beyond the limit, so the next statements read only items before it.
    open = open.filter(({ id, place, count }) => place < end && count - (before.get(id) ?? 0) === limit);
  }
  return { lists: lists.slice(0, end + 1), hasAll: end === lists.length };
}

function append(list: AttributionList, key: AttributionKey, known: ReadonlySet<string> | undefined): void {
  list.count++;
  list.last = key;
  if (known?.has(key.id)) return;
  list.found.push(key);
  add(list.size, { bytes: key.bytes, items: 1 });
}

/** Returns the number of lists if no limit is exceeded. */
function firstBeyond(lists: readonly AttributionList[], used: Size, most: Size): number {
  const sum = { ...used };
  const place = lists.findIndex(({ size }) => {
    add(sum, size);
    return sum.bytes > most.bytes || sum.items > most.items;
  });
  return place === -1 ? lists.length : place;
}

function add(sum: Size, { bytes, items }: Size): void {
  sum.bytes += bytes;
  sum.items += items;
}
