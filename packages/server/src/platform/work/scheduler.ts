import { setImmediate as letOthersRun } from 'node:timers/promises';
import { ServiceError } from '../../errors.js';
import { createGivingWay, type GivingWay } from './give-way.js';
import { createMemoryShares, type MemoryShares } from './memory-shares.js';
import {
  type Choice,
  createTaskQueue,
  type QueuedTask,
  type QueueSlots,
  type TaskQueue,
  toOwner,
} from './task-queue.js';

/** Kinds of expensive work (see `NAMES`). `body` is a large JSON body in memory, from its parse to the response. */
const WORK_KINDS = [
  'history',
  'media',
  'search',
  'describe',
  'video',
  'text',
  'batch',
  'bulk',
  'parse',
  'fetch',
  'body',
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** A request for a slot, in which one task runs. */
export interface Turn {
  projectId: string;
  kind: WorkKind;
  memoryBytes?: number | undefined;
  /** Aborts when no caller waits for the task any more. */
  signal?: AbortSignal | undefined;
  /**
   * Foreground tasks of its kind come first, and the task waits without limit. After half of `maxWaitMs`, or after a
   * minute if that is shorter, it is late: it then takes turns with foreground tasks, so they cannot delay it forever.
   */
  isBackground?: boolean | undefined;
  /** With `isBackground`: a caller waits for the task, so at most `maxWaiting` such tasks of the project can wait. */
  hasCaller?: boolean | undefined;
  /**
   * With `isBackground`: the scheduler may abort the task and run it again from its beginning, when another task with a
   * waiting caller has waited half of `maxWaitMs`. These rules let each background task end eventually:
   * - For a background task, the scheduler aborts only a task without a caller that began before the wait and was not
   *   aborted before.
   * - A late task that started in its turn is aborted at most once. If foreground tasks of its kind waited at its
   *   start, and its kind has several slots, it is never aborted.
   */
  canRestart?: boolean | undefined;
}

/** `isRepeated`: the scheduler aborted an earlier attempt of the task. */
interface TurnAttempt extends Turn {
  isRepeated?: boolean | undefined;
}

/** Keeps the slot of a task until `ended` settles. For a task whose thread may run longer than the task. */
export type Hold = (ended: Promise<unknown>) => void;

export type Task<T> = (signal: AbortSignal, hold: Hold) => Promise<T>;

interface WorkCounts {
  running: number;
  waiting: number;
  /** Number of tasks rejected since the start: the project's queue was full, or the task waited too long. */
  refused: number;
}

/** Shares the slots for expensive work fairly among the owners of projects, and among the projects of an owner. */
export interface Scheduler {
  /**
   * Runs `task` when a slot and enough memory are free. Rejects with `Unavailable` after `maxWaitMs`, or immediately
   * when `maxWaiting` tasks of this project and kind wait. When `signal` aborts before the start, rejects with its
   * reason.
   */
  run<T>(turn: Turn, task: Task<T>): Promise<T>;
  counts(): Record<WorkKind, WorkCounts>;
  memoryBytes(): number;
}

export interface SchedulerOptions {
  /**
   * Slots of each kind. Of two or more slots, one project never gets all. While other owners have requests, this also
   * applies to all projects of one owner together.
   */
  places: Readonly<Record<WorkKind, number>>;
  /**
   * Slots of an owner in the kinds `search` and `describe` together while other owners have requests. By default,
   * `places` alone limits them.
   */
  maxThreadsOfOwner?: number | undefined;
  /** Maximum memory of all running tasks except those of the kind `body`. */
  memoryBytes: number;
  /** Maximum memory of the kind `body`. It is separate, because a body keeps its memory while its request waits. */
  bodyBytes: number;
  maxWaitMs: number;
  /** Maximum number of waiting tasks of one kind and project. Background tasks without a caller do not count. */
  maxWaiting: number;
  /** By default, each project is its own owner. */
  ownerOf?: ((projectId: string) => string) | undefined;
  /** Whether projects of other owners have requests. If not, the projects of one owner may use more slots. */
  hasOtherOwners?: ((projectId: string) => boolean) | undefined;
  /**
   * Whether the tasks of this kind and project hold up other projects now. If so, the project rests after each task of
   * the kinds `history`, `batch` and `bulk`. After `parse`, which uses the main thread, it always rests.
   */
  isContended?: ((projectId: string, kind: WorkKind) => boolean) | undefined;
}

interface Slot {
  /** Aborts when the caller leaves, or when the task must give way. */
  signal: AbortSignal;
  hasGivenWay(): boolean;
  /** The project cannot use the slot again for `restMs`. */
  release(restMs: number): void;
}

const RETRY_SECONDS = 2;
/** Maximum number of waiting bodies of one project. It is low, because a waiting body is in memory too. */
const MAX_WAITING_BODIES = 16;
const DATABASE_KINDS: readonly WorkKind[] = ['history', 'batch', 'bulk'];
/** These kinds use the same threads. */
const THREAD_KINDS: readonly WorkKind[] = ['search', 'describe'];
const REST_FACTOR = 3;
const MAX_REST_MS = 1_000;
/** Maximum rest after a large batch, which can occupy the database for seconds. */
const MAX_BULK_REST_MS = 4_000;
/** Maximum time after which a background task is late. It is much shorter than the time limits of jobs. */
const MAX_LATE_MS = 60_000;

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { memoryBytes, maxWaitMs, isContended = () => false } = options;
  const memory = createMemoryShares(memoryBytes);
  const queues = createQueues(options, { memory, bodies: createMemoryShares(options.bodyBytes) });
  const givingWay = createGivingWay(memory);
  const maxWaitingBodies = Math.min(MAX_WAITING_BODIES, options.maxWaiting);
  const dispatch = createDispatch(queues, givingWay);

  function acquire(turn: TurnAttempt): Promise<Slot> {
    const { projectId, kind, signal, isBackground = false, hasCaller = !isBackground, isRepeated } = turn;
    const queue = queues[kind];
    const maxWaiting = kind === 'body' ? maxWaitingBodies : options.maxWaiting;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (hasCaller && !isRepeated && queue.callersOf(projectId, isBackground) >= maxWaiting) {
      queue.refused++;
      return Promise.reject(toBusy(kind, `${maxWaiting} of this project are queued (WORK_MAX_WAITING)`));
    }
    return new Promise((resolve, reject) => {
      const waiting: QueuedTask = {
        projectId,
        owner: toOwner(projectId, options.ownerOf),
        memoryBytes: turn.memoryBytes ?? 0,
        isBackground,
        hasCaller,
        start() {
          end();
          resolve(openSlot({ queue, givingWay, dispatch }, turn, waiting));
        },
      };
      const end = () => {
        clearTimeout(timer);
        stopLate();
        signal?.removeEventListener('abort', giveUp);
      };
      /** Rejects the task if it still waits. Other tasks can then use the memory that was reserved for it. */
      const withdraw = (toReason: () => unknown) => {
        end();
        if (queue.remove(waiting)) reject(toReason());
        dispatch();
      };
      const giveUp = () => withdraw(() => signal?.reason);
      const refuse = () => {
        // Other owners may have no requests any more, so this owner may have more slots.
        dispatch();
        withdraw(() => {
          queue.refused += 1;
          const lack = lackOf(queue.hasSlot(waiting));
          return toBusy(kind, `${lack} was free within ${maxWaitMs} ms (WORK_MAX_WAIT_MS)`);
        });
      };
      const becomeLate = () => {
        waiting.isLate = true;
        dispatch();
      };
      const timer = isBackground
        ? setTimeout(becomeLate, Math.min(maxWaitMs / 2, MAX_LATE_MS))
        : setTimeout(refuse, maxWaitMs);
      const stopLate =
        hasCaller && kind !== 'body'
          ? givingWay.pressLater({ task: waiting, queue }, maxWaitMs / 2)
          : () => {};
      signal?.addEventListener('abort', giveUp, { once: true });
      queue.add(waiting);
      dispatch();
    });
  }

  /** Returns undefined when the scheduler aborted the task for another task. */
  async function runOnce<T>(turn: TurnAttempt, task: Task<T>): Promise<{ result: T } | undefined> {
    const { signal, hasGivenWay, release } = await acquire(turn);
    const held: Promise<unknown>[] = [];
    const startedMs = performance.now();
    try {
      return { result: await task(signal, (ended) => held.push(ended)) };
    } catch (error) {
      if (!hasGivenWay()) throw error;
      return undefined;
    } finally {
      const restMs = mustRest(turn, isContended) ? toRest(turn.kind, performance.now() - startedMs) : 0;
      if (held.length === 0) release(restMs);
      else void Promise.allSettled(held).then(() => release(restMs));
    }
  }

  return {
    async run(turn, task) {
      let done = await runOnce(turn, task);
      while (done === undefined) {
        await letOthersRun();
        done = await runOnce({ ...turn, isRepeated: true }, task);
      }
      return done.result;
    },
    counts: () => countAll(queues),
    memoryBytes: memory.usedBytes,
  };
}

interface SlotDeps {
  queue: TaskQueue;
  givingWay: GivingWay;
  dispatch(): void;
}

function openSlot({ queue, givingWay, dispatch }: SlotDeps, turn: TurnAttempt, task: QueuedTask): Slot {
  const keepsSlot = turn.isRepeated ? task.turn !== undefined : task.turn === 'kind' && queue.places > 1;
  const canRestart = turn.canRestart === true && task.isBackground && !keepsSlot;
  const gaveWay = new AbortController();
  const end = () => gaveWay.abort(new Error('A task with a waiting caller needs the slot or its memory.'));
  const givesWayTo = (late: QueuedTask) => !(late.isBackground && (task.hasCaller || turn.isRepeated));
  const forget = canRestart ? givingWay.addRunning({ task, queue, givesWayTo, end }) : () => {};
  const release = (restMs: number) => {
    forget();
    queue.release(task, restMs > 0);
    dispatch();
    if (restMs === 0) return;
    const endRest = () => {
      queue.endRest(task);
      dispatch();
    };
    setTimeout(endRest, restMs).unref();
  };
  const signals = turn.signal === undefined ? [gaveWay.signal] : [turn.signal, gaveWay.signal];
  return {
    signal: canRestart ? AbortSignal.any(signals) : (signals[0] ?? gaveWay.signal),
    hasGivenWay: () => gaveWay.signal.aborted,
    release,
  };
}

/** While an owner without memory waits for memory, owners with memory start only tasks that need none. */
function createDispatch(queues: Record<WorkKind, TaskQueue>, givingWay: GivingWay): () => void {
  const { body, ...others } = queues;
  /** Queues that share a memory limit, in the order of their turns. */
  const groups = [Object.values(others), [body]];

  function startAll(turns: TaskQueue[], choice: Choice): void {
    for (let next = takeNext(turns, choice); next !== undefined; next = takeNext(turns, choice)) next.start();
  }

  function takeNext(turns: TaskQueue[], choice: Choice): QueuedTask | undefined {
    const isPressing = givingWay.isPressing();
    for (const [at, queue] of turns.entries()) {
      const next = queue.take(choice, isPressing);
      if (next === undefined) continue;
      turns.push(...turns.splice(at, 1));
      return next;
    }
    return undefined;
  }

  return () => {
    for (const turns of groups) {
      startAll(turns, 'first');
      startAll(turns, turns.some((queue) => queue.isShortOfMemory()) ? 'light' : 'all');
    }
    givingWay.press();
  };
}

function createQueues(
  { places, maxThreadsOfOwner, hasOtherOwners = () => true }: SchedulerOptions,
  { memory, bodies }: Record<'memory' | 'bodies', MemoryShares>,
): Record<WorkKind, TaskQueue> {
  const threads = { ofOwners: new Map<string, number>(), maxPerOwner: maxThreadsOfOwner ?? Infinity };
  const queues = WORK_KINDS.map((kind) => {
    const shared = THREAD_KINDS.includes(kind) ? threads : undefined;
    const slots = { ...toPlaces(kind, places[kind]), hasOtherOwners, shared };
    return [kind, createTaskQueue(slots, kind === 'body' ? bodies : memory)];
  });
  return Object.fromEntries(queues) as Record<WorkKind, TaskQueue>;
}

function mustRest(
  { kind, projectId }: Turn,
  isContended: NonNullable<SchedulerOptions['isContended']>,
): boolean {
  return kind === 'parse' || (DATABASE_KINDS.includes(kind) && isContended(projectId, kind));
}

export const restAfter = (tookMs: number, maxMs = MAX_REST_MS) => Math.min(tookMs * REST_FACTOR, maxMs);

const toRest = (kind: WorkKind, tookMs: number) =>
  restAfter(tookMs, kind === 'bulk' ? MAX_BULK_REST_MS : MAX_REST_MS);

const lackOf = (hasSlot: boolean) => (hasSlot ? 'too little memory (WORKER_MEMORY_BYTES)' : 'no slot');

function countAll(queues: Record<WorkKind, TaskQueue>): Record<WorkKind, WorkCounts> {
  const counts = Object.entries(queues).map(([kind, queue]) => [kind, queue.counts()]);
  return Object.fromEntries(counts) as Record<WorkKind, WorkCounts>;
}

/** Maximum number of large bodies of one project that have reserved memory. */
const BODIES_OF_PROJECT = 8;

/** Maximum share of the slots of the kind `history` for the public readers of all projects of one owner. */
const READERS_SHARE = 1 / 4;

/**
 * The pinning service of a project may be slow or hostile, so one project takes at most half of the slots for fetches.
 * For histories, a project and the public readers have separate slots, if there are at least three.
 */
function toPlaces(kind: WorkKind, places: number): QueueSlots {
  const maxPerReaders = Math.max(1, Math.floor(places * READERS_SHARE));
  const limits: Partial<Record<WorkKind, number>> = {
    history: places - 1 - maxPerReaders,
    fetch: Math.floor(places / 2),
    body: BODIES_OF_PROJECT,
  };
  const maxPerProject = Math.max(1, Math.min(limits[kind] ?? places, places - 1));
  const maxAlone = kind === 'history' ? Math.max(1, places - maxPerReaders) : places;
  return { places, maxPerProject, maxAlone, maxPerReaders };
}

const NAMES: Record<WorkKind, string> = {
  history: 'reads of histories, hashes of logs or long searches for cycles',
  media: 'media files',
  search: 'searches',
  describe: 'descriptions',
  video: 'decoders of videos',
  text: 'descriptions of texts',
  batch: 'batches',
  bulk: 'large batches',
  parse: 'large JSON bodies',
  fetch: 'fetches of pinned copies',
  body: 'large JSON bodies',
};

function toBusy(kind: WorkKind, why: string): ServiceError {
  return new ServiceError('Unavailable', `Too many ${NAMES[kind]} are in progress: ${why}.`, {
    recovery:
      'Send the request again after Retry-After, and send fewer such requests at a time. The operator can raise the limit.',
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
}
