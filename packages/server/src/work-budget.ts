/** What the threads that parse and describe content may take together; the pools of them ask it. */
export interface WorkBudget {
  /**
   * A place for one task that may need so much memory; undefined when there is none yet, and `again` is called once
   * there may be. Pools have their turns in the order in which they were refused. One task alone is never too large.
   */
  take(again: () => void, memoryBytes: number): Place | undefined;
}

/** Gives the place back; what is given back twice counts once. */
export type Place = () => void;

export interface WorkBudgetOptions {
  /** Tasks at a time. */
  tasks: number;
  memoryBytes: number;
}

export function createWorkBudget({ tasks, memoryBytes }: WorkBudgetOptions): WorkBudget {
  const taken = new Set<{ memoryBytes: number }>();
  const waiting: (() => void)[] = [];
  let refused: (() => void) | undefined;

  const fits = (more: number) => {
    const used = [...taken].reduce((sum, task) => sum + task.memoryBytes, 0);
    return taken.size === 0 || (taken.size < tasks && used + more <= memoryBytes);
  };

  /** Whoever does not fit yet keeps its turn, so that small tasks do not pass a large one for ever. */
  function giveTurns(): void {
    for (let left = waiting.length; left > 0; left--) {
      const [first] = waiting;
      refused = undefined;
      first?.();
      const stays = first !== undefined && waiting[0] === first;
      if (stays && refused === first) return;
      if (stays) waiting.shift();
    }
  }

  return {
    take(again, needed) {
      const isTurn = waiting.length === 0 || waiting[0] === again;
      if (!isTurn || !fits(needed)) {
        refused = again;
        if (!waiting.includes(again)) waiting.push(again);
        return undefined;
      }
      if (waiting[0] === again) waiting.shift();
      const task = { memoryBytes: needed };
      taken.add(task);
      return () => {
        if (taken.delete(task)) giveTurns();
      };
    },
  };
}

/** For a pool that stands alone. */
export function createFreeBudget(): WorkBudget {
  return createWorkBudget({ tasks: Number.POSITIVE_INFINITY, memoryBytes: Number.POSITIVE_INFINITY });
}
