import type { Worker } from 'node:worker_threads';
import { toDatabaseError } from '../database.js';
import { createCallTurns, type Turn } from './call-turns.js';
import { createPreparedStatements } from './prepared-statements.js';
import type { Failure, TimedAnswer, WorkerCall } from './protocol.js';

/**
 * The thread has work for so long while an answer is on its way. A call that is likely to take longer goes alone, so
 * that another project's next one waits for that one at most.
 */
const MAX_AHEAD_MS = 4;

/** A call that waits for its turn or its answer. */
export interface Call extends Turn {
  text: string;
  /** Several statements without parameters. */
  isScript?: boolean;
  parameters: readonly unknown[];
  signal?: AbortSignal | undefined;
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}

/** The calls that wait for their turn, and those that the thread has, which answers them in their order. */
export interface CallQueue {
  /** Rejects the call at once when its signal aborts while it waits. */
  add(call: Call): void;
  /** Takes the thread's answers to the oldest calls that it has. */
  settle(answers: readonly TimedAnswer[]): void;
  /** Ends the reservation of a transaction. */
  release(): void;
  /** Removes and returns all calls: the thread is gone. */
  clear(): readonly Call[];
}

export function createCallQueue(
  worker: Pick<Worker, 'postMessage'>,
  on: Record<'sent' | 'answered', (call: Call) => void>,
): CallQueue {
  const statements = createPreparedStatements();
  const turns = createCallTurns<Call>(statements.expectedMs);
  const leaving = new Map<Call, () => void>();
  let sent: { call: Call; statement: number; expectedMs: number }[] = [];
  let isScheduled = false;

  function toMessage(call: Call): WorkerCall {
    const { kind, text, parameters, isScript } = call;
    const expectedMs = statements.expectedMs(call);
    const found = kind === 'close' || isScript ? { statement: 0, text } : statements.find(text);
    sent.push({ call, statement: found.statement, expectedMs });
    on.sent(call);
    if (kind === 'close') return { kind };
    return isScript ? { kind: 'exec', text } : { kind: 'query', ...found, parameters };
  }

  function send(): void {
    isScheduled = false;
    const aheadMs = sent.reduce((sum, { expectedMs }) => sum + expectedMs, 0);
    const calls = turns.take({ budgetMs: MAX_AHEAD_MS - aheadMs, isIdle: sent.length === 0 });
    if (calls.length === 0) return;
    for (const call of calls) stopWatching(call);
    worker.postMessage(calls.map(toMessage));
  }

  /** Sends the calls of one tick together. */
  function schedule(): void {
    if (!isScheduled) queueMicrotask(send);
    isScheduled = true;
  }

  function watchSignal(call: Call): void {
    const { signal } = call;
    if (signal === undefined) return;
    const leave = () => {
      leaving.delete(call);
      if (turns.remove(call)) call.reject(signal.reason);
    };
    leaving.set(call, leave);
    signal.addEventListener('abort', leave, { once: true });
  }

  function stopWatching(call: Call): void {
    const leave = leaving.get(call);
    if (leave === undefined) return;
    leaving.delete(call);
    call.signal?.removeEventListener('abort', leave);
  }

  return {
    add(call) {
      watchSignal(call);
      turns.add(call);
      schedule();
    },
    settle(answers) {
      const answered = sent.slice(0, answers.length);
      sent = sent.slice(answers.length);
      for (const [place, { call }] of answered.entries()) {
        on.answered(call);
        if (isQuery(call)) statements.learn(call, answers[place]?.tookMs ?? 0);
      }
      // The thread goes on while the rows are read.
      send();
      for (const [place, { call, statement }] of answered.entries()) {
        const answer = answers[place];
        if (answer === undefined) continue;
        if ('failure' in answer) call.reject(toError(answer.failure));
        else call.resolve(statements.toRows(statement, answer));
      }
    },
    release() {
      turns.release();
      schedule();
    },
    clear() {
      const left = [...sent.map(({ call }) => call), ...turns.clear()];
      for (const call of left) stopWatching(call);
      sent = [];
      return left;
    },
  };
}

function isQuery({ kind, isScript }: Call): boolean {
  return kind !== 'close' && isScript !== true;
}

function toError(failure: Failure) {
  if (failure.sqlState === undefined) return new Error(failure.message);
  return toDatabaseError(failure.message, { sqlState: failure.sqlState, constraint: failure.constraint });
}
