import { ServiceError } from '../../errors.js';
import { createMemoryShares } from './memory-shares.js';
import { type Choice, createLine, type QueuedTask, type QueueSlots, type TaskQueue } from './task-queue.js';

/**
 * Kinds of expensive work. `describe` is for pictures and sounds, `text` for small texts, which take some milliseconds;
 * `fetch` waits for a pinning service.
 */
export const WORK_KINDS = [
  'history',
  'media',
  'search',
  'describe',
  'text',
  'batch',
  'bulk',
  'fetch',
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** A request for a place. */
export interface Turn {
  projectId: string;
  kind: WorkKind;
  /** Memory that the task may take, beside that of the service itself. */
  memoryBytes?: number | undefined;
  /** Aborts when nobody waits for the task any more. */
  signal?: AbortSignal | undefined;
  /** Nobody waits for the task: it comes after every task that somebody waits for, and waits as long as it takes. */
  isBackground?: boolean | undefined;
}

/** Keeps the place of a task until `ended`, although the task has answered: its thread takes a while to end. */
export type Hold = (ended: Promise<unknown>) => void;

export type Task<T> = (signal: AbortSignal, hold: Hold) => Promise<T>;

/** Finished and waiting work of a scheduler, by kind. */
export interface WorkCounts {
  running: number;
  waiting: number;
  /** Tasks that found too many of their project waiting, or waited too long; since the start. */
  refused: number;
}

/** Shares the places for expensive work fairly among projects. */
export interface Scheduler {
  /**
   * Runs `task` when it is the project's turn and a place is free. Rejects with `Unavailable` (503, `Retry-After`) after
   * the longest wait, or at once when too many tasks of the project wait. Rejects with the signal's reason when `signal`
   * aborts before the task is begun; a task that runs gets the signal.
   */
  run<T>(turn: Turn, task: Task<T>): Promise<T>;
  counts(): Record<WorkKind, WorkCounts>;
  /** Memory that running tasks may take, in bytes. */
  memoryBytes(): number;
}

export interface SchedulerOptions {
  /** Tasks of each kind that run at a time. Of two or more, one project never has all; of fetches, at most half. */
  places: Readonly<Record<WorkKind, number>>;
  /** Memory that all running tasks may take together. */
  memoryBytes: number;
  maxWaitMs: number;
  /** Tasks of one kind that may wait for one project. */
  maxWaiting: number;
}

const RETRY_SECONDS = 2;

export function createScheduler({ places, memoryBytes, maxWaitMs, maxWaiting }: SchedulerOptions): Scheduler {
  const memory = createMemoryShares(memoryBytes);
  const lines = Object.fromEntries(
    WORK_KINDS.map((kind) => [kind, createLine(toPlaces(kind, places[kind]), memory)]),
  ) as Record<WorkKind, TaskQueue>;

  /** The kinds, the one that began a task last at the end. */
  const turns = Object.values(lines);

  /** Begins every task that may begin. Memory that is free is kept for a project that holds none and needs it. */
  function dispatch(): void {
    beginAll('first');
    beginAll(turns.some((line) => line.isShortOfMemory()) ? 'light' : 'all');
  }

  function beginAll(choice: Choice): void {
    for (let next = takeNext(choice); next !== undefined; next = takeNext(choice)) next.begin();
  }

  function takeNext(choice: Choice): QueuedTask | undefined {
    for (const [at, line] of turns.entries()) {
      const next = line.take(choice);
      if (next === undefined) continue;
      turns.push(...turns.splice(at, 1));
      return next;
    }
    return undefined;
  }

  /** Resolves, with what gives the place back, when the task may begin. */
  function enter(turn: Turn): Promise<() => void> {
    const { projectId, kind, signal, isBackground = false } = turn;
    const line = lines[kind];
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!isBackground && line.waitingOf(projectId) >= maxWaiting) {
      line.refused += 1;
      return Promise.reject(toBusy(kind, `${maxWaiting} of this project are queued (WORK_MAX_WAITING)`));
    }
    return new Promise((resolve, reject) => {
      const waiting: QueuedTask = {
        projectId,
        memoryBytes: turn.memoryBytes ?? 0,
        isBackground,
        begin() {
          end();
          resolve(() => {
            line.leave(waiting);
            dispatch();
          });
        },
      };
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      /** Memory may have been kept for it. */
      const withdraw = () => {
        end();
        line.remove(waiting);
        dispatch();
      };
      const giveUp = () => {
        withdraw();
        reject(signal?.reason);
      };
      const refuse = () => {
        withdraw();
        line.refused += 1;
        reject(toBusy(kind, `no slot was free within ${maxWaitMs} ms (WORK_MAX_WAIT_MS)`));
      };
      const timer = isBackground ? undefined : setTimeout(refuse, maxWaitMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      line.add(waiting);
      dispatch();
    });
  }

  return {
    async run(turn, task) {
      const leave = await enter(turn);
      const held: Promise<unknown>[] = [];
      try {
        return await task(turn.signal ?? new AbortController().signal, (ended) => held.push(ended));
      } finally {
        if (held.length === 0) leave();
        else void Promise.allSettled(held).then(leave);
      }
    },
    counts: () =>
      Object.fromEntries(Object.entries(lines).map(([kind, line]) => [kind, line.counts()])) as Record<
        WorkKind,
        WorkCounts
      >,
    memoryBytes: memory.usedBytes,
  };
}

/** A project's own service may be slow, or hostile: fetches from it take at most half of the places. */
function toPlaces(kind: WorkKind, places: number): QueueSlots {
  const mostOfProject = kind === 'fetch' ? Math.floor(places / 2) : places - 1;
  return { places, mostOfProject: Math.max(1, mostOfProject) };
}

const NAMES: Record<WorkKind, string> = {
  history: 'reads of histories',
  media: 'media files',
  search: 'searches',
  describe: 'descriptions',
  text: 'descriptions of texts',
  batch: 'batches',
  bulk: 'large batches',
  fetch: 'fetches of pinned copies',
};

function toBusy(kind: WorkKind, why: string): ServiceError {
  return new ServiceError('Unavailable', `Too many ${NAMES[kind]} are under way: ${why}.`, {
    recovery: 'Send the request again after Retry-After, and fewer of them at a time.',
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
}
