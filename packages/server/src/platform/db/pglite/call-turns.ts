export interface CallTurn {
  /** The project that the call is for. Calls without a project share one owner. */
  owner: string;
  /**
   * `begin` reserves the session for its transaction. `transaction` calls run in the order of their arrival, before
   * all others. `close` runs when no other call waits.
   */
  kind: 'query' | 'begin' | 'transaction' | 'close';
  /** When the call began to give way, by `performance.now()`. */
  givesWaySinceMs?: number;
}

/** Time after an answer in which another call of its owner is expected, since a request makes several calls. */
const NEXT_CALL_MS = 5;
/** The longest time for which a call gives way. */
const MAX_WAY_MS = 50;
/** The number of owners whose latest answers are stored. Fewer get one within `NEXT_CALL_MS`. */
const MAX_ANSWERED = 16;

/** A call to send, and its expected duration. */
export interface TakenCall<T extends CallTurn> {
  turn: T;
  neededMs: number;
}

/**
 * A fair queue for the one session of the engine. Owners take turns; calls of one owner keep their order. A long
 * call gives way to calls of other owners that take at most half as long, and to those that are expected soon. It
 * does so for no longer than it takes itself.
 */
export interface CallTurns<T extends CallTurn> {
  add(turn: T): void;
  /** Returns whether the call was waiting. */
  remove(turn: T): boolean;
  /**
   * Returns the next calls that together take no longer than `budgetMs`. An idle engine gets at least one call, or
   * `waitMs` when a long call gives way to one that is expected soon.
   */
  take(room: { budgetMs: number; isIdle: boolean }): { calls: TakenCall<T>[]; waitMs?: number };
  noteAnswer(owner: string): void;
  /** Ends the reservation of a transaction. */
  release(): void;
  clear(): T[];
}

export function createCallTurns<T extends CallTurn>(expectedMs: (turn: T) => number): CallTurns<T> {
  const answered = createLatestAnswers();
  /** Waiting calls by owner. The owner with the next turn comes first. */
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

  /** Returns the call for an idle engine when the next one is long, or the time for which that one waits. */
  function giveWay(next: TakenCall<T>): TakenCall<T> | { waitMs: number } {
    const { turn, neededMs } = next;
    if (isReserved || turn.kind === 'close') return next;
    const nowMs = performance.now();
    turn.givesWaySinceMs ??= nowMs;
    const untilMs = turn.givesWaySinceMs + Math.min(neededMs, MAX_WAY_MS);
    if (nowMs >= untilMs) return next;
    const shorter = findShorter(waiting, next, expectedMs);
    if (shorter !== undefined) return shorter;
    const latestMs = answered.latestMs((owner) => owner === turn.owner || waiting.has(owner));
    const waitMs = Math.min(untilMs, latestMs + NEXT_CALL_MS) - nowMs;
    return waitMs > 0 ? { waitMs } : next;
  }

  return {
    add: (turn) => void queueOf(turn).push(turn),
    remove: drop,
    take({ budgetMs, isIdle }) {
      const calls: TakenCall<T>[] = [];
      let leftMs = budgetMs;
      for (let turn = findNext(); turn !== undefined; turn = findNext()) {
        const next = { turn, neededMs: expectedMs(turn) };
        const isLong = next.neededMs > leftMs;
        if (isLong && (!isIdle || calls.length > 0)) break;
        const chosen = isLong ? giveWay(next) : next;
        if ('waitMs' in chosen) return { calls, waitMs: chosen.waitMs };
        leftMs -= chosen.neededMs;
        advance(chosen.turn);
        calls.push(chosen);
      }
      return { calls };
    },
    noteAnswer: answered.note,
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

/** Finds the shortest first call of another owner that takes at most half as long as `next`. */
function findShorter<T extends CallTurn>(
  waiting: ReadonlyMap<string, readonly T[]>,
  next: TakenCall<T>,
  expectedMs: (turn: T) => number,
): TakenCall<T> | undefined {
  let shortest: TakenCall<T> | undefined;
  for (const [owner, [turn]] of waiting) {
    if (owner === next.turn.owner || turn === undefined) continue;
    const neededMs = expectedMs(turn);
    // Calls of unknown length do not give way to each other, and after `begin` comes a whole transaction.
    if (neededMs === Number.POSITIVE_INFINITY || turn.kind === 'begin') continue;
    if (neededMs <= (shortest?.neededMs ?? next.neededMs / 2)) shortest = { turn, neededMs };
  }
  return shortest;
}

/** Stores the times of the latest answers, for a few owners. */
function createLatestAnswers() {
  /** The earliest first. */
  const times = new Map<string, number>();
  return {
    note(owner: string): void {
      times.delete(owner);
      times.set(owner, performance.now());
      const [oldest = owner] = times.keys();
      if (times.size > MAX_ANSWERED) times.delete(oldest);
    },
    latestMs(isLeftOut: (owner: string) => boolean): number {
      let latest = Number.NEGATIVE_INFINITY;
      for (const [owner, atMs] of times) if (!isLeftOut(owner)) latest = Math.max(latest, atMs);
      return latest;
    },
  };
}
