import { ServiceError } from '../../errors.js';
import { addToCount } from './add-to-count.js';

/** Waiting callers take turns. When `signal` aborts, a waiting call rejects with the signal's reason. */
export type FairLimit = <Result>(
  caller: string,
  run: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/** A `FairLimit` with one caller: runs functions in the order of their calls. */
export type LimitConcurrency = <Result>(run: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

const RETRY_SECONDS = 1;

/** Calls reject with `Unavailable` when `waiting` functions wait. */
export function createConcurrencyLimit({
  atOnce,
  waiting,
}: {
  atOnce: number;
  waiting: number;
}): LimitConcurrency {
  const limit = createFairLimit({ atOnce, waiting });
  return (run, signal) => limit('', run, signal);
}

export interface FairLimitOptions {
  /** Maximum number of functions that run at a time. If this is a function, the limit calls it before each start. */
  atOnce: number | (() => number);
  /** Maximum number of running functions of one caller; `atOnce` by default. */
  atOnceOfOne?: number | undefined;
  /** Maximum number of waiting functions; no limit by default. */
  waiting?: number | undefined;
  /** Maximum number of waiting functions of one caller; `waiting` by default. */
  waitingOfOne?: number | undefined;
  /** Time after which the call of a waiting function rejects; no limit by default. */
  maxWaitMs?: number | undefined;
  /** Message of the error `Unavailable`. */
  message?: string | undefined;
  recovery?: string | undefined;
  /** The variable that sets the limit, for the count of rejections. */
  bound?: string | undefined;
}

export interface FairLimitCounts {
  running: number;
  waiting: number;
  /** Number of calls rejected since the start because of a limit. */
  refused: number;
}

/** `sinceMs`: time at which the call began to wait, as in `performance.now()`; now by default. */
interface QueueWait {
  signal?: AbortSignal | undefined;
  sinceMs?: number | undefined;
}

interface Turns {
  run<Result>(caller: string, run: () => Promise<Result>, wait: QueueWait): Promise<Result>;
  counts(): FairLimitCounts;
}

/** A call rejects with `Unavailable` when too many functions wait, or when it has waited for `maxWaitMs`. */
export function createFairLimit(options: FairLimitOptions): FairLimit & { counts(): FairLimitCounts } {
  const turns = createTurns(options);
  const limit: FairLimit = (caller, run, signal) => turns.run(caller, run, { signal });
  return Object.assign(limit, { counts: turns.counts });
}

function createTurns({
  atOnce,
  atOnceOfOne = Number.POSITIVE_INFINITY,
  waiting = Number.POSITIVE_INFINITY,
  waitingOfOne = waiting,
  maxWaitMs,
  message = 'Too many requests of this kind are waiting.',
  recovery = 'Send the request again in a moment.',
  bound,
}: FairLimitOptions): Turns {
  /** Waiting functions by caller. The callers are in the order of their turns. */
  const queues = new Map<string, (() => void)[]>();
  const runningOf = new Map<string, number>();
  const counts: FairLimitCounts = { running: 0, waiting: 0, refused: 0 };

  const most = typeof atOnce === 'number' ? () => atOnce : atOnce;
  const canStart = (caller: string) => counts.running < most() && (runningOf.get(caller) ?? 0) < atOnceOfOne;

  function count(caller: string, change: 1 | -1): void {
    counts.running += change;
    addToCount(runningOf, caller, change);
  }

  function toRefusal(): ServiceError {
    counts.refused += 1;
    return new ServiceError('Unavailable', message, {
      bound,
      recovery,
      headers: { 'retry-after': String(RETRY_SECONDS) },
    });
  }

  function add(caller: string, start: () => void): void {
    const queue = queues.get(caller);
    if (queue === undefined) queues.set(caller, [start]);
    else queue.push(start);
    counts.waiting += 1;
  }

  function remove(caller: string, start: () => void): void {
    const queue = queues.get(caller) ?? [];
    queue.splice(queue.indexOf(start), 1);
    if (queue.length === 0) queues.delete(caller);
    counts.waiting -= 1;
  }

  function moveToEnd(caller: string): void {
    const queue = queues.get(caller);
    if (queue !== undefined && queues.delete(caller)) queues.set(caller, queue);
  }

  function wait(caller: string, { signal, sinceMs = performance.now() }: QueueWait): Promise<void> {
    const untilMs = maxWaitMs === undefined ? undefined : sinceMs + maxWaitMs;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        remove(caller, start);
      };
      const start = () => {
        end();
        moveToEnd(caller);
        count(caller, 1);
        resolve();
      };
      const giveUp = () => {
        end();
        reject(signal?.reason);
      };
      const refuse = () => {
        end();
        reject(toRefusal());
      };
      const timer = untilMs === undefined ? undefined : setTimeout(refuse, untilMs - performance.now());
      signal?.addEventListener('abort', giveUp, { once: true });
      add(caller, start);
    });
  }

  async function acquire(caller: string, given: QueueWait): Promise<void> {
    given.signal?.throwIfAborted();
    if (canStart(caller)) return count(caller, 1);
    if (counts.waiting >= waiting || (queues.get(caller)?.length ?? 0) >= waitingOfOne) throw toRefusal();
    await wait(caller, given);
  }

  function findNext(): (() => void) | undefined {
    for (const [caller, [start]] of queues) if (canStart(caller)) return start;
    return undefined;
  }

  function release(ended: string): void {
    count(ended, -1);
    for (let start = findNext(); start !== undefined; start = findNext()) start();
  }

  return {
    async run(caller, run, given) {
      await acquire(caller, given);
      try {
        return await run();
      } finally {
        release(caller);
      }
    },
    counts: () => ({ ...counts }),
  };
}

/** Groups take turns; within a group its parts, such as the projects of an owner; within a part its callers. */
export type GroupedLimit = <Result>(
  of: { group: string; part?: string | undefined; caller: string },
  run: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/**
 * A function waits for its turn within its part, then within its group, then for the turn of its group. So a group with
 * many callers has no larger share of `all`. All waits count for `all.maxWaitMs`.
 */
export function createGroupedLimit({
  all,
  ofGroup,
  ofPart = ofGroup,
}: {
  all: FairLimitOptions;
  ofGroup: FairLimitOptions;
  ofPart?: FairLimitOptions;
}): GroupedLimit {
  const turnsOfAll = createTurns(all);
  const groups = new Map<string, Turns>();
  const parts = new Map<string, Turns>();
  return async ({ group, part, caller }, run, signal) => {
    const wait = { signal, sinceMs: performance.now() };
    const runInGroup = (of: string) =>
      withTurns({ known: groups, name: group, options: ofGroup }, (turns) =>
        turns.run(of, () => turnsOfAll.run(group, run, wait), wait),
      );
    if (part === undefined) return runInGroup(caller);
    return withTurns({ known: parts, name: part, options: ofPart }, (turns) =>
      turns.run(caller, () => runInGroup(part), wait),
    );
  };
}

/** Deletes the `Turns` object of a group or part when none of its functions runs or waits. */
async function withTurns<Result>(
  { known, name, options }: { known: Map<string, Turns>; name: string; options: FairLimitOptions },
  run: (turns: Turns) => Promise<Result>,
): Promise<Result> {
  const turns = known.get(name) ?? createTurns(options);
  known.set(name, turns);
  try {
    return await run(turns);
  } finally {
    const { running, waiting } = turns.counts();
    // Another call may have deleted `turns`, and a new call may have created another object with this name.
    if (running + waiting === 0 && known.get(name) === turns) known.delete(name);
  }
}
