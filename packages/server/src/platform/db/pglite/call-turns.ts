import { setNewest } from '../../work/set-newest.js';

export interface CallTurn {
  /** The owner of the call (`ownerOf`), usually a project. An empty string for a call without an owner. */
  owner: string;
  /** `begin` reserves the session for `transaction` calls. `close` runs when no other call waits. */
  kind: 'query' | 'begin' | 'transaction' | 'close';
  /** Time at which the call began to let other calls pass (`performance.now()`). */
  givesWaySinceMs?: number;
}

/** An owner is expected to make another call within this time after an answer. */
const NEXT_CALL_MS = 5;
/** Maximum time for which a call lets others pass. */
const MAX_WAY_MS = 50;
/** Number of owners whose latest answers are stored. */
const MAX_ANSWERED = 16;

/** `neededMs`: the expected duration. */
export interface TakenCall<T extends CallTurn> {
  turn: T;
  neededMs: number;
}

/**
 * A fair queue for the only session of the engine. Owners take turns; calls of one owner keep their order. A long call
 * lets short calls of other owners pass, and waits for expected short calls. It does so for at most MAX_WAY_MS, and at
 * most for its own expected duration.
 */
export interface CallTurns<T extends CallTurn> {
  add(turn: T): void;
  remove(turn: T): boolean;
  /** An idle engine gets at least one call, or `waitMs`: the time for which a long call waits for an expected call. */
  take(room: { budgetMs: number; isIdle: boolean }): { calls: TakenCall<T>[]; waitMs?: number };
  noteAnswer(owner: string): void;
  release(): void;
  clear(): T[];
}

export function createCallTurns<T extends CallTurn>(expectedMs: (turn: T) => number): CallTurns<T> {
  const answered = createLatestAnswers();
  /** Waiting calls by owner. The first owner has the next turn. */
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
    // The owner's next call comes after calls of the other owners.
    waiting.delete(turn.owner);
    waiting.set(turn.owner, left);
  }

  /**
   * Lets shorter calls run before a long next call. Returns the call to run now, or the time to wait for an expected
   * call.
   */
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

/** Finds the shortest of the other owners' first calls. Undefined if it takes more than half as long as `next`. */
function findShorter<T extends CallTurn>(
  waiting: ReadonlyMap<string, readonly T[]>,
  next: TakenCall<T>,
  expectedMs: (turn: T) => number,
): TakenCall<T> | undefined {
  let shortest: TakenCall<T> | undefined;
  for (const [owner, [turn]] of waiting) {
    if (owner === next.turn.owner || turn === undefined) continue;
    const neededMs = expectedMs(turn);
    // A call of unknown duration does not pass the long call. Nor does `begin`: its transaction may be long.
    if (neededMs === Number.POSITIVE_INFINITY || turn.kind === 'begin') continue;
    if (neededMs <= (shortest?.neededMs ?? next.neededMs / 2)) shortest = { turn, neededMs };
  }
  return shortest;
}

function createLatestAnswers() {
  const times = new Map<string, number>();
  return {
    note(owner: string): void {
      setNewest(times, owner, performance.now(), MAX_ANSWERED);
    },
    latestMs(isLeftOut: (owner: string) => boolean): number {
      let latest = Number.NEGATIVE_INFINITY;
      for (const [owner, atMs] of times) if (!isLeftOut(owner)) latest = Math.max(latest, atMs);
      return latest;
    },
  };
}
