import type { MemoryShares } from './memory-shares.js';

/** A task that waits for its slot. */
export interface QueuedTask {
  projectId: string;
  memoryBytes: number;
  isBackground: boolean;
  begin(): void;
}

/** The tasks of one kind: the waiting ones, in turns by project, and the number of running ones per project. */
export interface TaskQueue {
  refused: number;
  add(waiting: QueuedTask): void;
  remove(waiting: QueuedTask): void;
  /** Takes the next task that can start, with a slot. The next turn of its project comes after all others. */
  take(choice: Choice): QueuedTask | undefined;
  /** Whether a task with a waiting caller has a slot and its project has no memory, but the task does not fit. */
  isShortOfMemory(): boolean;
  /** Releases the slot of a task. */
  leave(begun: QueuedTask): void;
  waitingOf(projectId: string): number;
  counts(): { running: number; waiting: number; refused: number };
}

/**
 * Which tasks may start. `first`: tasks with a waiting caller that need memory, of projects that have none.
 * `light`: tasks that need no memory.
 */
export type Choice = 'first' | 'light' | 'all';

/** The tasks of each project, in the order of the projects' turns. */
type Ring = Map<string, QueuedTask[]>;

/** Slots of a kind: of all projects, and of one of them. */
export interface QueueSlots {
  places: number;
  mostOfProject: number;
}

export function createLine({ places, mostOfProject }: QueueSlots, memory: MemoryShares): TaskQueue {
  const awaited: Ring = new Map();
  const background: Ring = new Map();
  const runningOf = new Map<string, number>();
  const ringOf = ({ isBackground }: QueuedTask) => (isBackground ? background : awaited);
  const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);
  const sizeOf = (ring: Ring) => sum([...ring.values()].map(({ length }) => length));
  let running = 0;

  function count(projectId: string, change: number): void {
    running += change;
    const left = (runningOf.get(projectId) ?? 0) + change;
    if (left === 0) runningOf.delete(projectId);
    else runningOf.set(projectId, left);
  }

  function find(ring: Ring, isWanted: (next: QueuedTask) => boolean): QueuedTask | undefined {
    if (running >= places) return undefined;
    for (const [projectId, [next]] of ring) {
      if (next === undefined || (runningOf.get(projectId) ?? 0) >= mostOfProject) continue;
      if (isWanted(next)) return next;
    }
    return undefined;
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
    take(choice) {
      const isWanted = (next: QueuedTask) => {
        if (choice === 'first' && !memory.isFirst(next)) return false;
        if (choice === 'light' && next.memoryBytes > 0) return false;
        return memory.fits(next);
      };
      const next = find(awaited, isWanted) ?? (choice === 'first' ? undefined : find(background, isWanted));
      if (next === undefined) return undefined;
      const ring = ringOf(next);
      remove(next);
      const others = ring.get(next.projectId);
      if (others !== undefined && ring.delete(next.projectId)) ring.set(next.projectId, others);
      count(next.projectId, 1);
      memory.take(next);
      return next;
    },
    isShortOfMemory: () => find(awaited, (next) => memory.isFirst(next) && !memory.fits(next)) !== undefined,
    leave(begun) {
      count(begun.projectId, -1);
      memory.giveBack(begun);
    },
    waitingOf: (projectId) => awaited.get(projectId)?.length ?? 0,
    counts() {
      return { running, waiting: sizeOf(awaited) + sizeOf(background), refused: this.refused };
    },
  };
}
