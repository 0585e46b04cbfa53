/** A call that waits for its turn. */
export interface Turn {
  /** The project that the call is for. Calls without a project share one owner. */
  owner: string;
  /**
   * `begin` reserves the session for its transaction. `transaction` calls run in the order of their arrival, before
   * all others. `close` runs when no other call waits.
   */
  kind: 'query' | 'begin' | 'transaction' | 'close';
}

/** The calls that wait for the one session of the engine. Owners take turns; calls of one owner keep their order. */
export interface CallTurns<T extends Turn> {
  add(turn: T): void;
  /** Returns whether the call was waiting. */
  remove(turn: T): boolean;
  /** The next calls, as many as take no longer than `budgetMs` together. An idle engine gets at least one. */
  take(room: { budgetMs: number; isIdle: boolean }): T[];
  /** Ends the reservation of a transaction. */
  release(): void;
  clear(): T[];
}

export function createCallTurns<T extends Turn>(expectedMs: (turn: T) => number): CallTurns<T> {
  /** The owner whose turn is next comes first. */
  const waiting = new Map<string, T[]>();
  const ofTransaction: T[] = [];
  const closing: T[] = [];
  let isReserved = false;

  function queueOf({ owner, kind }: T): T[] {
    if (kind === 'transaction') return ofTransaction;
    if (kind === 'close') return closing;
    const queue = waiting.get(owner) ?? [];
    waiting.set(owner, queue);
    return queue;
  }

  function findNext(): T | undefined {
    if (isReserved) return ofTransaction[0];
    const [queue = closing] = waiting.values();
    return queue[0];
  }

  function drop(turn: T): boolean {
    const queue = queueOf(turn);
    const place = queue.indexOf(turn);
    if (place >= 0) queue.splice(place, 1);
    if (queue.length === 0 && waiting.get(turn.owner) === queue) waiting.delete(turn.owner);
    return place >= 0;
  }

  function advance(turn: T): void {
    drop(turn);
    const left = waiting.get(turn.owner);
    if (turn.kind === 'begin') isReserved = true;
    if (turn.kind === 'transaction' || left === undefined) return;
    // The others come before its next call.
    waiting.delete(turn.owner);
    waiting.set(turn.owner, left);
  }

  return {
    add: (turn) => void queueOf(turn).push(turn),
    remove: drop,
    take({ budgetMs, isIdle }) {
      const taken: T[] = [];
      let leftMs = budgetMs;
      for (let next = findNext(); next !== undefined; next = findNext()) {
        const neededMs = expectedMs(next);
        if (neededMs > leftMs && (!isIdle || taken.length > 0)) break;
        leftMs -= neededMs;
        advance(next);
        taken.push(next);
      }
      return taken;
    },
    release() {
      isReserved = false;
    },
    clear() {
      isReserved = false;
      const left = [...ofTransaction, ...[...waiting.values()].flat(), ...closing];
      waiting.clear();
      ofTransaction.length = 0;
      closing.length = 0;
      return left;
    },
  };
}
