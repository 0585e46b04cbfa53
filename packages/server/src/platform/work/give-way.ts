import type { MemoryShares } from './memory-shares.js';
import type { QueuedTask, TaskQueue } from './task-queue.js';

/** A running background task that can run again from its beginning. */
interface RunningTask {
  task: QueuedTask;
  queue: TaskQueue;
  /** Whether the task may be ended for this late task. */
  givesWayTo(late: QueuedTask): boolean;
  end(): void;
}

/** A task that has waited for long, and whose caller still waits. */
interface LateTask {
  task: QueuedTask;
  queue: TaskQueue;
  /**
   * The tasks that ran when a background task began to wait. Only these tasks may be ended for this background task.
   */
  found?: ReadonlySet<RunningTask> | undefined;
  /** True when a running task was ended for this foreground task. */
  isHelped?: boolean;
}

/** Ends background tasks whose slot or memory a late task needs. */
export interface GivingWay {
  /** Registers a background task until the returned function is called. */
  addRunning(running: RunningTask): () => void;
  /** Registers a waiting task as late after `afterMs`. The returned function cancels the registration. */
  pressLater(waiting: Pick<LateTask, 'task' | 'queue'>, afterMs: number): () => void;
  /** Ends the newest background task whose end helps a late task. Ends one at a time, because one may be enough. */
  press(): void;
  /** Whether most background tasks must not start, because they could take the memory that a late task needs. */
  isPressing(): boolean;
}

export function createGivingWay(memory: Pick<MemoryShares, 'fits'>): GivingWay {
  const running = new Set<RunningTask>();
  const late = new Set<LateTask>();
  let ending: RunningTask | undefined;

  /**
   * Returns false if the late task would lack memory even after the end of all background tasks that may give way to
   * it.
   */
  function helps(one: RunningTask, { task, queue, found = running }: LateTask): boolean {
    const mayEnd = (other: RunningTask) => found.has(other) && other.givesWayTo(task);
    const others = [...running].filter(mayEnd).map((other) => other.task);
    if (!mayEnd(one) || !memory.fits(task, others)) return false;
    if (queue.hasSlot(task)) return one.task.memoryBytes > 0 && !memory.fits(task);
    return one.queue === queue && queue.canTakeOver(one.task, task);
  }

  function findHelp(): { one: RunningTask; waiting: LateTask } | undefined {
    const newest = [...running].reverse();
    for (const waiting of late) {
      const one = newest.find((running) => helps(running, waiting));
      if (one !== undefined) return { one, waiting };
    }
    return undefined;
  }

  function press(): void {
    if (ending !== undefined) return;
    const found = findHelp();
    if (found === undefined) return;
    ending = found.one;
    const { task } = found.waiting;
    if (task.isBackground) task.isNext = true;
    else found.waiting.isHelped = true;
    ending.end();
  }

  return {
    addRunning(one) {
      running.add(one);
      return () => {
        running.delete(one);
        if (ending === one) ending = undefined;
      };
    },
    pressLater({ task, queue }, afterMs) {
      const waiting: LateTask = { task, queue, found: task.isBackground ? new Set(running) : undefined };
      const timer = setTimeout(() => {
        late.add(waiting);
        press();
      }, afterMs);
      return () => {
        clearTimeout(timer);
        late.delete(waiting);
      };
    },
    press,
    isPressing: () =>
      ending !== undefined || [...late].some(({ isHelped }) => isHelped) || findHelp() !== undefined,
  };
}
