import { ServiceError } from '../../errors.js';
import { DatabaseError } from '../../platform/db/database.js';
import { inSpanOf, noteOrigin, type Origin } from '../../platform/tracing/in-span.js';
import { isTransient, tryAgain } from '../read/try-again.js';

/** Limits of one batch. A single item may exceed `maxCharacters`; it is then sent alone. */
export interface BatchLimits {
  maxItems: number;
  maxCharacters: number;
}

/** Writes items with the same key, all or none. `texts`: JSON of `items`. Resolves to one result per item, in order. */
export type RunBatch<Item, Result> = (
  key: string,
  texts: readonly string[],
  items: readonly Item[],
) => Promise<Result[]>;

interface WaitingItem<Item, Result> {
  item: Item;
  text: string;
  origin: Origin;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: while a batch of a key runs, new items with this key wait for the next batch. When the database rejects
 * a batch, its items run one by one, so that no item fails because of another.
 */
export function createCoalescer<Item, Result>(run: RunBatch<Item, Result>, limits: BatchLimits) {
  type Waiter = WaitingItem<Item, Result>;
  const queues = new Map<string, Waiter[]>();

  async function drain(key: string, queue: Waiter[]): Promise<void> {
    while (queue.length > 0) await settle(key, takeBatch(queue, limits));
    queues.delete(key);
  }

  async function settle(key: string, batch: Waiter[]): Promise<void> {
    const texts = batch.map(({ text }) => text);
    const items = batch.map(({ item }) => item);
    const origins = batch.map(({ origin }) => origin);
    try {
      const results = await inSpanOf('record together', origins, () => run(key, texts, items));
      for (const [index, { resolve }] of batch.entries()) resolve(requireResult(results, index));
    } catch (error) {
      const alone = batch.length > 1 ? isOfItems(error) : isTransient(error);
      for (const waiter of batch) {
        if (alone) await settleAlone(key, waiter);
        else waiter.reject(error);
      }
    }
  }

  async function settleAlone(key: string, waiter: Waiter): Promise<void> {
    try {
      const { item, text, origin } = waiter;
      const alone = () => inSpanOf('record', [origin], () => run(key, [text], [item]));
      waiter.resolve(requireResult(await tryAgain(alone), 0));
    } catch (error) {
      waiter.reject(error);
    }
  }

  return (key: string, item: Item, text = JSON.stringify(item)): Promise<Result> =>
    new Promise((resolve, reject) => {
      const waiting = { item, text, origin: noteOrigin(), resolve, reject };
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

/** Whether an item or the size of the batch caused the error. Single items may then succeed. */
function isOfItems(error: unknown): boolean {
  return (
    error instanceof DatabaseError || (error instanceof ServiceError && error.code === 'PayloadTooLarge')
  );
}

function requireResult<Result>(results: readonly Result[], index: number): Result {
  const result = results[index];
  if (result === undefined) throw new Error('The database returned fewer results than the batch has items');
  return result;
}

function takeBatch<Waiter extends { text: string }>(queue: Waiter[], limits: BatchLimits): Waiter[] {
  let characters = 0;
  let count = 0;
  for (const { text } of queue) {
    characters += text.length;
    if (count > 0 && (count === limits.maxItems || characters > limits.maxCharacters)) break;
    count++;
  }
  return queue.splice(0, count);
}
