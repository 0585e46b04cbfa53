import { setImmediate as letOthersRun } from 'node:timers/promises';

const SLICE = 32;

/**
 * Maps items one after the other. After every 32 items it lets other requests run, since each item may need a
 * signature or a digest. Rejects with the signal's reason when the signal aborts.
 */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % SLICE === 0) {
      await letOthersRun();
      signal?.throwIfAborted();
    }
    results.push(await map(item, index));
  }
  return results;
}
