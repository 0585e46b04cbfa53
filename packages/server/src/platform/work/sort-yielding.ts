import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Number of items that are sorted or merged without a pause. This takes a few milliseconds. */
const SLICE = 2_000;

/** Sorts as `toSorted` does. Other requests run between slices. */
export async function sortYielding<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += SLICE) {
    if (at > 0) await letOthersRun();
    runs.push(items.slice(at, at + SLICE).sort(compare));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item>(
  ones: readonly Item[],
  others: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  const merged: Item[] = [];
  let [at, otherAt] = [0, 0];
  for (;;) {
    const [one, other] = [ones[at], others[otherAt]];
    if (at === ones.length || otherAt === others.length) break;
    if (merged.length % SLICE === SLICE - 1) await letOthersRun();
    // The sort is stable: of two equal items, the item of the earlier run comes first.
    if (compare(one as Item, other as Item) <= 0) {
      merged.push(one as Item);
      at++;
    } else {
      merged.push(other as Item);
      otherAt++;
    }
  }
  return [...merged, ...ones.slice(at), ...others.slice(otherAt)];
}
