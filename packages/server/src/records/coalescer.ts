import { DatabaseError } from '../db/database.js';
import { ServiceError } from '../errors.js';
import { inSpanOf, noteOrigin, type Origin } from '../tracing/in-span.js';
import { mayPass, tryAgain } from './try-again.js';

/** Bounds of one batch; a single larger item still goes alone. */
export interface BatchLimits {
  maxItems: number;
  maxCharacters: number;
}

/** Runs a batch of JSON texts of one key; resolves to one result each, in order. All or nothing. */
export type RunBatch<Result> = (key: string, items: readonly string[]) => Promise<Result[]>;

interface Waiting<Result> {
  text: string;
  origin: Origin;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: while a batch of a key is under way, what arrives waits, and then goes as one batch.
 * When the database refuses a batch, or what carries it finds it too large, its items are tried one by one, so that
 * none fails for another's fault.
 */
export function createCoalescer<Result>(run: RunBatch<Result>, limits: BatchLimits) {
  const queues = new Map<string, Waiting<Result>[]>();

  async function drain(key: string, queue: Waiting<Result>[]): Promise<void> {
    while (queue.length > 0) await settle(key, takeBatch(queue, limits));
    queues.delete(key);
  }

  async function settle(key: string, batch: Waiting<Result>[]): Promise<void> {
    const texts = batch.map(({ text }) => text);
    const origins = batch.map(({ origin }) => origin);
    try {
      const results = await inSpanOf('record together', origins, () => run(key, texts));
      for (const [index, { resolve }] of batch.entries()) resolve(requireResult(results, index));
    } catch (error) {
      const alone = batch.length > 1 ? isOfItems(error) : mayPass(error);
      for (const item of batch) {
        if (alone) await settleAlone(key, item);
        else item.reject(error);
      }
    }
  }

  async function settleAlone(key: string, item: Waiting<Result>): Promise<void> {
    try {
      const alone = () => inSpanOf('record', [item.origin], () => run(key, [item.text]));
      item.resolve(requireResult(await tryAgain(alone), 0));
    } catch (error) {
      item.reject(error);
    }
  }

  return (key: string, item: unknown): Promise<Result> =>
    new Promise((resolve, reject) => {
      const waiting = { text: JSON.stringify(item), origin: noteOrigin(), resolve, reject };
      const queue = queues.get(key);
      if (queue !== undefined) {
        queue.push(waiting);
        return;
      }
      const fresh = [waiting];
      queues.set(key, fresh);
      void drain(key, fresh);
    });
}

/** The database refused what is in the batch, or all of it at once: each item may pass by itself. */
function isOfItems(error: unknown): boolean {
  return (
    error instanceof DatabaseError || (error instanceof ServiceError && error.code === 'PayloadTooLarge')
  );
}

function requireResult<Result>(results: readonly Result[], index: number): Result {
  const result = results[index];
  if (result === undefined) throw new Error('A batch was answered with fewer results than items');
  return result;
}

function takeBatch<Result>(queue: Waiting<Result>[], limits: BatchLimits): Waiting<Result>[] {
  let characters = 0;
  let count = 0;
  for (const { text } of queue) {
    characters += text.length;
    if (count > 0 && (count === limits.maxItems || characters > limits.maxCharacters)) break;
    count++;
  }
  return queue.splice(0, count);
}
