import type { MemoryShares } from './memory-shares.js';

export interface QueuedTask {
  projectId: string;
  memoryBytes: number;
  isBackground: boolean;
  hasCaller: boolean;
  /** True when a running task was ended for this background task. It then comes before the other background tasks. */
  isNext?: boolean;
  start(): void;
}

/** The waiting and running tasks of one kind. Projects take turns. */
export interface TaskQueue {
  refused: number;
  add(waiting: QueuedTask): void;
  remove(waiting: QueuedTask): void;
  /** Takes the next task that can start, and gives it a slot and memory. Its project moves to the end of the order. */
  take(choice: Choice, takesBackground: boolean): QueuedTask | undefined;
  /** Whether a slot is free for the task. */
  hasSlot(waiting: QueuedTask): boolean;
  /** Whether the waiting task could get the slot of the running task. */
  canTakeOver(started: QueuedTask, waiting: QueuedTask): boolean;
  /** Whether a foreground task could get a slot but lacks memory, although its project uses no memory. */
  isShortOfMemory(): boolean;
  /**
   * Releases the slot and the memory of a task. With `isResting`, the task still counts as a running task of its
   * project until `endRest`.
   */
  release(started: QueuedTask, isResting?: boolean): void;
  endRest(started: QueuedTask): void;
  /**
   * Number of waiting tasks of a project that have a caller: of its background tasks if `isBackground`, otherwise of
   * its foreground tasks.
   */
  callersOf(projectId: string, isBackground: boolean): number;
  counts(): { running: number; waiting: number; refused: number };
}

/**
 * Tasks that may start. `first`: foreground tasks that need memory, of projects that use no memory.
 * `light`: tasks that need no memory.
 */
export type Choice = 'first' | 'light' | 'all';

/** Waiting tasks by project. The first project has the next turn. */
type Ring = Map<string, QueuedTask[]>;

/** Number of slots of a kind: for all tasks together, for one project, and for the public readers of one project. */
export interface QueueSlots {
  places: number;
  maxPerProject: number;
  maxPerReaders: number;
}

const READERS = 'public:';
const areReaders = (projectId: string) => projectId.startsWith(READERS);

/** Returns the id that stands for the public readers of a project in the queue. No project has this id. */
export const toReaders = (projectId: string) => `${READERS}${projectId}`;

export function createTaskQueue(
  { places, maxPerProject, maxPerReaders }: QueueSlots,
  memory: MemoryShares,
): TaskQueue {
  const awaited: Ring = new Map();
  const background: Ring = new Map();
  const runningOf = new Map<string, number>();
  const ringOf = ({ isBackground }: Pick<QueuedTask, 'isBackground'>) =>
    isBackground ? background : awaited;
  const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);
  const sizeOf = (ring: Ring) => sum([...ring.values()].map(({ length }) => length));
  let running = 0;
  /** Running tasks of the public readers of all projects. They never have all slots together. */
  let ofReaders = 0;

  function countOf(projectId: string, change: number): void {
    const left = (runningOf.get(projectId) ?? 0) + change;
    if (left === 0) runningOf.delete(projectId);
    else runningOf.set(projectId, left);
  }

  function find(ring: Ring, isWanted: (next: QueuedTask) => boolean): QueuedTask | undefined {
    if (running >= places) return undefined;
    for (const [next] of ring.values())
      if (next !== undefined && hasSlot(next) && isWanted(next)) return next;
    return undefined;
  }

  function findBackground(isWanted: (next: QueuedTask) => boolean): QueuedTask | undefined {
    return find(background, (next) => next.isNext === true && isWanted(next)) ?? find(background, isWanted);
  }

  function hasSlot(task: QueuedTask): boolean {
    return running < places && isWithinLimits(task);
  }

  /** Whether the project may have another slot, after `ended` has released its slot. */
  function isWithinLimits({ projectId }: QueuedTask, ended?: QueuedTask): boolean {
    const own = (runningOf.get(projectId) ?? 0) - (ended?.projectId === projectId ? 1 : 0);
    if (!areReaders(projectId)) return own < maxPerProject;
    const all = ofReaders - (ended !== undefined && areReaders(ended.projectId) ? 1 : 0);
    return own < maxPerReaders && all < Math.max(1, places - 1);
  }

  function countRunning({ projectId }: QueuedTask, change: number): void {
    running += change;
    if (areReaders(projectId)) ofReaders += change;
  }

  function remove(waiting: QueuedTask): void {
    const ring = ringOf(waiting);
    const left = ring.get(waiting.projectId)?.filter((one) => one !== waiting) ?? [];
    if (left.length === 0) ring.delete(waiting.projectId);
    else ring.set(waiting.projectId, left);
  }

  return {
    refused: 0,
    add(waiting) {
      const ring = ringOf(waiting);
      ring.set(waiting.projectId, [...(ring.get(waiting.projectId) ?? []), waiting]);
    },
    remove,
    take(choice, takesBackground) {
      const isWanted = (next: QueuedTask) => {
        if (choice === 'first' && !memory.isFirst(next)) return false;
        if (choice === 'light' && next.memoryBytes > 0) return false;
        return memory.fits(next);
      };
      const next = find(awaited, isWanted) ?? (takesBackground ? findBackground(isWanted) : undefined);
      if (next === undefined) return undefined;
      const ring = ringOf(next);
      remove(next);
      const others = ring.get(next.projectId);
      if (others !== undefined && ring.delete(next.projectId)) ring.set(next.projectId, others);
      countRunning(next, 1);
      countOf(next.projectId, 1);
      memory.take(next);
      return next;
    },
    hasSlot,
    canTakeOver: (started, waiting) => isWithinLimits(waiting, started),
    isShortOfMemory: () => find(awaited, (next) => memory.isFirst(next) && !memory.fits(next)) !== undefined,
    release(started, isResting = false) {
      countRunning(started, -1);
      if (!isResting) countOf(started.projectId, -1);
      memory.giveBack(started);
    },
    endRest: ({ projectId }) => countOf(projectId, -1),
    callersOf: (projectId, isBackground) =>
      (ringOf({ isBackground }).get(projectId) ?? []).filter(({ hasCaller }) => hasCaller).length,
    counts() {
      return { running, waiting: sizeOf(awaited) + sizeOf(background), refused: this.refused };
    },
  };
}
