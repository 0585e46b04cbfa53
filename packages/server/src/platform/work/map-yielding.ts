import { setImmediate as letOthersRun } from 'node:timers/promises';

const SLICE = 32;
const SLICE_MS = 5;

/**
 * Maps items one after the other. After every 32 items, or 5 ms, it lets other requests run, because each item may need
 * signatures or digests. If the signal has aborted by then, rejects with its reason.
 */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  let sinceMs = performance.now();
  for (const [index, item] of items.entries()) {
    const isDue = index % SLICE === 0 || performance.now() - sinceMs > SLICE_MS;
    if (index > 0 && isDue) {
      await letOthersRun();
      signal?.throwIfAborted();
      sinceMs = performance.now();
    }
    results.push(await map(item, index));
  }
  return results;
}

/**
 * Whether every step of a computation yields true. After every 32 steps, or 5 ms, it lets other requests run. If the
 * signal has aborted by then, rejects with its reason.
 */
export async function everyYielding(steps: Iterable<boolean>, signal?: AbortSignal): Promise<boolean> {
  let sinceMs = performance.now();
  let count = 0;
  for (const isRight of steps) {
    if (!isRight) return false;
    count += 1;
    if (count % SLICE !== 0 && performance.now() - sinceMs <= SLICE_MS) continue;
    await letOthersRun();
    signal?.throwIfAborted();
    sinceMs = performance.now();
  }
  return true;
}
