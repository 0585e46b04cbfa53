import { ServiceError } from '../../errors.js';
import { addToCount } from './add-to-count.js';

/**
 * Runs functions of many callers, a few at a time. The waiting callers take turns. When `signal` aborts, a waiting
 * function does not run any more, and its call rejects with the signal's reason.
 */
export type FairLimit = <Result>(
  caller: string,
  run: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/** A `FairLimit` with one caller: runs functions in the order of their calls. */
export type LimitConcurrency = <Result>(run: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

const RETRY_SECONDS = 1;

/** At most `atOnce` functions run, and at most `waiting` functions wait. Further calls reject with `Unavailable`. */
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
  /** Maximum number of functions that run at a time. */
  atOnce: number;
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

/**
 * Creates a `FairLimit`. A call rejects with the ServiceError `Unavailable` when too many functions wait, or when its
 * function has waited for `maxWaitMs`. `counts` returns the present numbers.
 */
export function createFairLimit(options: FairLimitOptions): FairLimit & { counts(): FairLimitCounts } {
  const turns = createTurns(options);
  const limit: FairLimit = (caller, run, signal) => turns.run(caller, run, { signal });
  return Object.assign(limit, { counts: turns.counts });
}

function createTurns({
  atOnce,
  atOnceOfOne = atOnce,
  waiting = Number.POSITIVE_INFINITY,
  waitingOfOne = waiting,
  maxWaitMs,
  message = 'Too many requests of this kind are waiting.',
}: FairLimitOptions): Turns {
  /** The waiting functions by caller. The callers are in the order of their turns. */
  const queues = new Map<string, (() => void)[]>();
  const runningOf = new Map<string, number>();
  const counts: FairLimitCounts = { running: 0, waiting: 0, refused: 0 };

  const canStart = (caller: string) => counts.running < atOnce && (runningOf.get(caller) ?? 0) < atOnceOfOne;

  function count(caller: string, change: 1 | -1): void {
    counts.running += change;
    addToCount(runningOf, caller, change);
  }

  function toRefusal(): ServiceError {
    counts.refused += 1;
    return new ServiceError('Unavailable', message, {
      recovery: 'Send the request again in a moment.',
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

  /** Starts the next function of the first waiting caller that may run one more function. */
  function release(ended: string): void {
    count(ended, -1);
    for (const [caller, [start]] of queues) {
      if (start === undefined || !canStart(caller)) continue;
      start();
      return;
    }
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

/**
 * Runs functions of callers that belong to groups. The groups take turns. Within a group, its parts take turns, such as
 * the projects of an owner. Within a part, the callers take turns.
 */
export type GroupedLimit = <Result>(
  of: { group: string; part?: string | undefined; caller: string },
  run: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/**
 * Creates a `GroupedLimit`. A function with a part first waits for its turn within this part (`ofPart`), then for the
 * turn of the part within the group. A function without a part first waits for its turn within the group (`ofGroup`).
 * Then each function waits for the turn of its group (`all`). So a group with many callers has no larger share of `all`
 * than another group. The time of all waits counts for `all.maxWaitMs`.
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

/**
 * Runs a function with the `Turns` object of a group or part, and creates this object if necessary. Deletes the object
 * when none of its functions runs or waits any more.
 */
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
    // Two calls can end at once. The first call deletes the object, and a new call may then create another object with
    // this name. The second call must not delete that other object.
    if (running + waiting === 0 && known.get(name) === turns) known.delete(name);
  }
}
