import { addToCount } from './add-to-count.js';
import type { MemoryShares } from './memory-shares.js';

export interface QueuedTask {
  projectId: string;
  /** The project itself if no owner is known. */
  owner: string;
  memoryBytes: number;
  isBackground: boolean;
  hasCaller: boolean;
  /** True when a running task was ended for this background task. It then comes before the other background tasks. */
  isNext?: boolean;
  /** True when this background task has waited for long. It then also gets turns like a foreground task. */
  isLate?: boolean;
  /** Set in a late turn (see `take`): `kind` if foreground tasks of its kind waited, otherwise `memory`. */
  turn?: 'kind' | 'memory';
  start(): void;
}

/** The waiting and running tasks of one kind. Owners take turns, and so do the projects of an owner. */
export interface TaskQueue {
  readonly places: number;
  refused: number;
  add(waiting: QueuedTask): void;
  /** Returns whether the task waited. */
  remove(waiting: QueuedTask): boolean;
  /**
   * Takes the next task that can start, and gives it a slot and memory. Late background tasks together take turns like
   * one more owner, and only one of them runs at a time. With `isPressing`, background tasks start only in a late turn,
   * and only while foreground tasks of this kind wait.
   */
  take(choice: Choice, isPressing: boolean): QueuedTask | undefined;
  hasSlot(waiting: QueuedTask): boolean;
  /** Whether the waiting task could get the slot of the running task. */
  canTakeOver(started: QueuedTask, waiting: QueuedTask): boolean;
  /** Whether a task of the choice `first` could get a slot but lacks memory. */
  isShortOfMemory(): boolean;
  /** With `isResting`, the task still counts as a running task of its project and owner until `endRest`. */
  release(started: QueuedTask, isResting?: boolean): void;
  endRest(started: QueuedTask): void;
  /** Number of waiting background or foreground tasks of a project that have a caller. */
  callersOf(projectId: string, isBackground: boolean): number;
  counts(): { running: number; waiting: number; refused: number };
}

/**
 * Tasks that may start. `first`: foreground and late tasks that need memory while their owner uses none. `light`: tasks
 * that need no memory.
 */
export type Choice = 'first' | 'light' | 'all';

/** Waiting tasks by project. The first project has the next turn. */
type Ring = Map<string, QueuedTask[]>;

/** `maxAlone`: limit of one owner while no other owner has requests. `maxPerReaders`: limit of its public readers. */
export interface QueueSlots {
  places: number;
  maxPerProject: number;
  maxAlone: number;
  maxPerReaders: number;
}

/** Slots that several queues share. While other owners have requests, an owner gets at most `maxPerOwner` of them. */
export interface SharedSlots {
  ofOwners: Map<string, number>;
  maxPerOwner: number;
}

/** `hasOtherOwners`: while it returns true, `maxPerProject` applies to all projects of the owner together. */
interface QueueOptions extends QueueSlots {
  hasOtherOwners: (projectId: string) => boolean;
  shared?: SharedSlots | undefined;
}

const READERS = 'public:';
const areReaders = (projectId: string) => projectId.startsWith(READERS);

/** Returns the id of the public readers of a project in the queue. */
export const toReaders = (projectId: string) => `${READERS}${projectId}`;

/** The public readers of an owner's projects together count as another owner. */
export function toOwner(projectId: string, ownerOf = (id: string) => id): string {
  if (!areReaders(projectId)) return ownerOf(projectId);
  return toReaders(ownerOf(projectId.slice(READERS.length)));
}

export function createTaskQueue(options: QueueOptions, memory: MemoryShares): TaskQueue {
  const awaited: Ring = new Map();
  const background: Ring = new Map();
  const slots = createSlots(options);
  const ringOf = ({ isBackground }: Pick<QueuedTask, 'isBackground'>) =>
    isBackground ? background : awaited;
  const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);
  const sizeOf = (ring: Ring) => sum([...ring.values()].map(({ length }) => length));
  /** Number of foreground tasks that started after the last background task. */
  let sinceBackground = 0;
  let hasLateRunning = false;

  function find(ring: Ring, isWanted: (next: QueuedTask) => boolean): QueuedTask | undefined {
    if (!slots.isOneFree()) return undefined;
    for (const [next] of ring.values())
      if (next !== undefined && slots.hasSlot(next) && isWanted(next)) return next;
    return undefined;
  }

  function findBackground(isWanted: (next: QueuedTask) => boolean): QueuedTask | undefined {
    return find(background, (next) => next.isNext === true && isWanted(next)) ?? find(background, isWanted);
  }

  function findLate(isWanted: (next: QueuedTask) => boolean): QueuedTask | undefined {
    if (hasLateRunning || sinceBackground < countOwners(awaited)) return undefined;
    return findBackground((next) => next.isLate === true && isWanted(next));
  }

  function remove(waiting: QueuedTask): boolean {
    const ring = ringOf(waiting);
    const all = ring.get(waiting.projectId) ?? [];
    const left = all.filter((one) => one !== waiting);
    if (left.length === 0) ring.delete(waiting.projectId);
    else ring.set(waiting.projectId, left);
    return left.length < all.length;
  }

  return {
    places: options.places,
    refused: 0,
    add(waiting) {
      const ring = ringOf(waiting);
      ring.set(waiting.projectId, [...(ring.get(waiting.projectId) ?? []), waiting]);
    },
    remove,
    take(choice, isPressing) {
      const isWanted = (next: QueuedTask) => {
        if (choice === 'first' && !memory.isFirst(next)) return false;
        if (choice === 'light' && next.memoryBytes > 0) return false;
        return memory.fits(next);
      };
      const turn = awaited.size > 0 ? 'kind' : 'memory';
      // If no foreground task of its kind waits, a late task starts like any background task. It uses a late turn only
      // to get memory before tasks of other kinds.
      const late = turn === 'kind' || (choice === 'first' && !isPressing) ? findLate(isWanted) : undefined;
      const takesBackground = choice !== 'first' && !isPressing;
      const next =
        late ?? find(awaited, isWanted) ?? (takesBackground ? findBackground(isWanted) : undefined);
      if (next === undefined) return undefined;
      if (late !== undefined) {
        late.turn = turn;
        hasLateRunning = true;
      }
      sinceBackground = next.isBackground ? 0 : sinceBackground + 1;
      const ring = ringOf(next);
      remove(next);
      moveToEnd(ring, next);
      slots.occupy(next);
      memory.take(next);
      return next;
    },
    hasSlot: slots.hasSlot,
    canTakeOver: (started, waiting) => slots.isWithinLimits(waiting, started),
    isShortOfMemory() {
      const lacksMemory = (next: QueuedTask) => memory.isFirst(next) && !memory.fits(next);
      return (findLate(lacksMemory) ?? find(awaited, lacksMemory)) !== undefined;
    },
    release(started, isResting = false) {
      if (started.turn !== undefined) hasLateRunning = false;
      slots.release(started, isResting);
      memory.giveBack(started);
    },
    endRest: slots.endRest,
    callersOf: (projectId, isBackground) =>
      (ringOf({ isBackground }).get(projectId) ?? []).filter(({ hasCaller }) => hasCaller).length,
    counts() {
      return {
        running: slots.running(),
        waiting: sizeOf(awaited) + sizeOf(background),
        refused: this.refused,
      };
    },
  };
}

/** Moves the projects of an owner to the end of the order, with the project of the started task as the last one. */
function moveToEnd(ring: Ring, { projectId, owner }: QueuedTask): void {
  const others = [...ring].filter(([id, [first]]) => first?.owner === owner && id !== projectId);
  const own = ring.get(projectId);
  for (const [id, tasks] of own === undefined ? others : [...others, [projectId, own] as const]) {
    ring.delete(id);
    ring.set(id, tasks);
  }
}

const countOwners = (ring: Ring) => new Set([...ring.values()].map(([first]) => first?.owner)).size;

function createSlots({
  places,
  maxPerProject,
  maxAlone,
  maxPerReaders,
  hasOtherOwners,
  shared,
}: QueueOptions) {
  const [ofProjects, ofOwners] = [new Map<string, number>(), new Map<string, number>()];
  let running = 0;
  /** The public readers of all projects never have all slots together. */
  let ofReaders = 0;

  function countOf({ projectId, owner }: QueuedTask, change: number): void {
    addToCount(ofProjects, projectId, change);
    addToCount(ofOwners, owner, change);
    if (shared !== undefined) addToCount(shared.ofOwners, owner, change);
  }

  function count({ projectId }: QueuedTask, change: number): void {
    running += change;
    if (areReaders(projectId)) ofReaders += change;
  }

  function hasShared(owner: string, ended: number): boolean {
    return shared === undefined || (shared.ofOwners.get(owner) ?? 0) - ended < shared.maxPerOwner;
  }

  /** Whether the task may have another slot after `ended` has released its slot. */
  function isWithinLimits({ projectId, owner }: QueuedTask, ended?: QueuedTask): boolean {
    const own = (ofProjects.get(projectId) ?? 0) - (ended?.projectId === projectId ? 1 : 0);
    const endedOfOwner = ended?.owner === owner ? 1 : 0;
    const together = (ofOwners.get(owner) ?? 0) - endedOfOwner;
    if (areReaders(projectId)) {
      const all = ofReaders - (ended !== undefined && areReaders(ended.projectId) ? 1 : 0);
      return together < maxPerReaders && all < Math.max(1, places - 1);
    }
    if (own >= maxPerProject || together >= maxAlone) return false;
    return (together < maxPerProject && hasShared(owner, endedOfOwner)) || !hasOtherOwners(projectId);
  }

  return {
    running: () => running,
    isOneFree: () => running < places,
    hasSlot: (task: QueuedTask) => running < places && isWithinLimits(task),
    isWithinLimits,
    occupy(task: QueuedTask) {
      count(task, 1);
      countOf(task, 1);
    },
    release(task: QueuedTask, isResting: boolean) {
      count(task, -1);
      if (!isResting) countOf(task, -1);
    },
    endRest: (task: QueuedTask) => countOf(task, -1),
  };
}
