import type { Worker } from 'node:worker_threads';
import { toDatabaseError } from '../database.js';
import { type CallTurn, createCallTurns, type TakenCall } from './call-turns.js';
import { createPreparedStatements } from './prepared-statements.js';
import type { Failure, TimedAnswer, WorkerCall } from './protocol.js';

/** Maximum expected duration of all calls in the thread together. A longer call is sent alone. */
const MAX_AHEAD_MS = 4;

export interface EngineCall extends CallTurn {
  text: string;
  /** Whether `text` contains several statements without parameters. */
  isScript?: boolean;
  parameters: readonly unknown[];
  signal?: AbortSignal | undefined;
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}

/** Waiting calls, and calls that were sent to the thread. The thread answers in the order of sending. */
export interface CallQueue {
  /** If its signal aborts before the call is sent, the call rejects immediately. */
  add(call: EngineCall): void;
  /** Passes the answers to the oldest sent calls. */
  settle(answers: readonly TimedAnswer[]): void;
  /** Ends the reservation of the session for a transaction. */
  release(): void;
  /** Removes and returns all calls after the end of the thread. */
  clear(): readonly EngineCall[];
}

export function createCallQueue(
  worker: Pick<Worker, 'postMessage'>,
  on: Record<'sent' | 'answered', (call: EngineCall) => void>,
): CallQueue {
  const statements = createPreparedStatements();
  const turns = createCallTurns<EngineCall>(expectedMs);
  const signals = watchSignals((call) => {
    if (!turns.remove(call)) return;
    call.reject(call.signal?.reason);
    schedule();
  });
  let sent: { call: EngineCall; statement: number; neededMs: number }[] = [];
  let isScheduled = false;
  let timer: NodeJS.Timeout | undefined;

  function expectedMs(call: EngineCall): number {
    return isQuery(call) ? statements.expectedMs(call) : Number.POSITIVE_INFINITY;
  }

  function toMessage({ turn: call, neededMs }: TakenCall<EngineCall>): WorkerCall {
    const { kind, text, parameters, isScript } = call;
    const found = kind === 'close' || isScript ? { statement: 0, text } : statements.find(text);
    sent.push({ call, statement: found.statement, neededMs });
    on.sent(call);
    if (kind === 'close') return { kind };
    return isScript ? { kind: 'exec', text } : { kind: 'query', ...found, parameters };
  }

  function send(): void {
    isScheduled = false;
    clearTimeout(timer);
    const aheadMs = sent.reduce((sum, { neededMs }) => sum + neededMs, 0);
    const { calls, waitMs } = turns.take({ budgetMs: MAX_AHEAD_MS - aheadMs, isIdle: sent.length === 0 });
    if (waitMs !== undefined) timer = setTimeout(send, waitMs);
    if (calls.length === 0) return;
    for (const { turn } of calls) signals.unwatch(turn);
    worker.postMessage(calls.map(toMessage));
  }

  function schedule(): void {
    if (!isScheduled) queueMicrotask(send);
    isScheduled = true;
  }

  function refuse(call: EngineCall, failure: Failure): void {
    call.reject(toError(failure));
    // `begin` has reserved the session, and after its failure no transaction releases it.
    if (call.kind === 'begin') release();
  }

  function release(): void {
    turns.release();
    schedule();
  }

  return {
    add(call) {
      if (call.signal?.aborted) {
        call.reject(call.signal.reason);
        return;
      }
      signals.watch(call);
      turns.add(call);
      schedule();
    },
    settle(answers) {
      const answered = sent.slice(0, answers.length);
      sent = sent.slice(answers.length);
      for (const [place, { call }] of answered.entries()) {
        on.answered(call);
        // Calls without an owner belong to different requests, so no next call is expected after them.
        if (call.owner !== '') turns.noteAnswer(call.owner);
        if (isQuery(call)) statements.learn(call, answers[place]?.tookMs ?? 0);
      }
      // Send first, so that the engine's thread works while this thread reads the rows.
      send();
      for (const [place, { call, statement }] of answered.entries()) {
        const answer = answers[place];
        if (answer === undefined) continue;
        if ('failure' in answer) refuse(call, answer.failure);
        else call.resolve(statements.toRows(statement, answer));
      }
    },
    release,
    clear() {
      const left = [...sent.map(({ call }) => call), ...turns.clear()];
      for (const call of left) signals.unwatch(call);
      sent = [];
      clearTimeout(timer);
      return left;
    },
  };
}

function watchSignals(leave: (call: EngineCall) => void) {
  const listeners = new Map<EngineCall, () => void>();
  return {
    watch(call: EngineCall): void {
      if (call.signal === undefined) return;
      const listener = () => {
        listeners.delete(call);
        leave(call);
      };
      listeners.set(call, listener);
      call.signal.addEventListener('abort', listener, { once: true });
    },
    unwatch(call: EngineCall): void {
      const listener = listeners.get(call);
      if (listener === undefined) return;
      listeners.delete(call);
      call.signal?.removeEventListener('abort', listener);
    },
  };
}

function isQuery({ kind, isScript }: EngineCall): boolean {
  return kind !== 'close' && isScript !== true;
}

function toError(failure: Failure) {
  if (failure.sqlState === undefined) return new Error(failure.message);
  return toDatabaseError(failure.message, { sqlState: failure.sqlState, constraint: failure.constraint });
}
