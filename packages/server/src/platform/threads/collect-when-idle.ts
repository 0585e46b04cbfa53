import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_EVERY_MS = 5_000;
/** A thread that works for less than this share of the time is idle. */
const IDLE_SHARE = 0.1;
/** Number of consecutive idle checks before a collection. */
const IDLE_CHECKS = 2;
/** Minimum growth of the heap since the last collection. */
const GROWTH_BYTES = 16 * 2 ** 20;
const BURST_BYTES = 4 * GROWTH_BYTES;

interface IdleHeap {
  /** Share of the time since the last call in which the thread worked, from 0 to 1. */
  workedShare(): number;
  heapBytes(): number;
  collect(): void;
}

/**
 * Collects garbage when the thread becomes idle after work, because V8 starts no collection without allocations. The
 * next check collects a second time: V8 releases the memory of the young generation only when the thread has allocated
 * little before a collection.
 */
export function createIdleCheck({ workedShare, heapBytes, collect }: IdleHeap): () => void {
  let idleChecks = 0;
  let hasWorked = true;
  let collectedBytes = 0;
  let isOneLeft = false;
  const collectNow = () => {
    collect();
    collectedBytes = heapBytes();
    hasWorked = false;
  };
  return () => {
    const isIdle = workedShare() < IDLE_SHARE;
    idleChecks = isIdle ? idleChecks + 1 : 0;
    // V8 can have collected garbage itself.
    collectedBytes = Math.min(collectedBytes, heapBytes());
    const growthBytes = heapBytes() - collectedBytes;
    // A short burst of work, which no check saw, can leave much garbage.
    hasWorked ||= !isIdle || growthBytes >= BURST_BYTES;
    const isDue = hasWorked && idleChecks >= IDLE_CHECKS && growthBytes >= GROWTH_BYTES;
    if (isDue || (isOneLeft && isIdle)) collectNow();
    isOneLeft = isDue;
  };
}

/** Works in the calling thread, until the process ends. */
export function collectWhenIdle(): void {
  let last = performance.eventLoopUtilization();
  const check = createIdleCheck({
    workedShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    heapBytes: () => getHeapStatistics().total_heap_size,
    collect: exposeCollector(),
  });
  setInterval(check, CHECK_EVERY_MS).unref();
}

/** Returns V8's function `gc`, which does not become a global variable. */
export function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
