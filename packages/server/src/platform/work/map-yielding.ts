import { setImmediate as letOthersRun } from 'node:timers/promises';

const SLICE = 32;
const SLICE_MS = 5;

function createSlices(signal: AbortSignal | undefined) {
  let sinceMs = performance.now();
  let count = 0;
  return {
    /** Counts a step. Returns whether it is the last step of a slice. */
    isOver(): boolean {
      count += 1;
      return count % SLICE === 0 || performance.now() - sinceMs > SLICE_MS;
    },
    async pause(): Promise<void> {
      await letOthersRun();
      signal?.throwIfAborted();
      sinceMs = performance.now();
    },
  };
}

/** Lets other requests run after every 32 items or 5 ms, and then rejects if the signal has aborted. */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  const slices = createSlices(signal);
  for (const [index, item] of items.entries()) {
    if (index > 0 && slices.isOver()) await slices.pause();
    results.push(await map(item, index));
  }
  return results;
}

/** Whether every step yields true. Lets other requests run as `mapYielding` does. */
export async function everyYielding(steps: Iterable<boolean>, signal?: AbortSignal): Promise<boolean> {
  const slices = createSlices(signal);
  for (const isRight of steps) {
    if (!isRight) return false;
    if (slices.isOver()) await slices.pause();
  }
  return true;
}
