import type { Queryable } from '../../platform/db/database.js';

/** Maximum number of items in one statement. */
export const STEP_ITEMS = 100;
/** Maximum size of the JSON in one statement, in bytes. */
export const STEP_BYTES = 256 * 1024;

export interface HistorySource {
  db: Queryable;
  projectId: string;
  /** Number of items per statement; `STEP_ITEMS` by default. */
  stepItems?: number | undefined;
  /** Approximate limit of the JSON; `MAX_ANSWER_BYTES` by default. */
  maxBytes?: number | undefined;
  /** Number of attributions after which a read ends; `MAX_ANSWER_ITEMS` by default. */
  maxItems?: number | undefined;
}

/** Splits the items into one part per statement. */
export function inParts<Item>(
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
