import { createRequire } from 'node:module';
import { DistributionError } from '@colophon/model';
import { cut, type JsonText, lengthOf, toText } from '../../platform/json-text.js';
import { createThreadClient } from '../../platform/threads/thread-client.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { type Conversion, type ConversionTask, type Converted, convert } from './convert.js';

/** Longer histories would hold up the main thread for more than some milliseconds. */
const INLINE_LENGTH = 2 ** 18;
/** Shares are computed with integers as long as the weights are precise: 64 of them take 2 ms at most, 640 take 200. */
const INLINE_WEIGHTS_LENGTH = 2 ** 13;
/** A bundle of this length has some 170 such weights. */
const INLINE_SHARES_LENGTH = 2 ** 16;
/** Of the thread: a history of 32 MiB is a few times as much in memory. */
const MAX_HEAP_MB = 512;

/** Converts histories in a thread of its own, one at a time, where projects take turns. */
export interface Converter {
  /** As the function of this name does it. Rejects with `Unavailable` when the thread ends. */
  convert(projectId: string, to: Conversion, text: JsonText): Promise<JsonText>;
  /** Histories that were converted in the thread, since the start. */
  readonly counts: { inThread: number };
  close(): Promise<void>;
}

/** Converts a history or recipients: what is small here, the rest in the thread, in the project's turn. */
export async function convertHistory(
  { converter, scheduler }: { converter: Converter; scheduler: Pick<Scheduler, 'run'> },
  projectId: string,
  { to, text, signal }: { to: Conversion; text: JsonText; signal: AbortSignal | undefined },
): Promise<JsonText> {
  if (lengthOf(text) <= inlineLength(to)) return convert(to, toText(text));
  const turn = { projectId, kind: 'history', signal } as const;
  return scheduler.run(turn, () => converter.convert(projectId, to, text));
}

function inlineLength(to: Conversion): number {
  if (typeof to === 'string' || 'published' in to) return INLINE_LENGTH;
  return 'shares' in to ? INLINE_SHARES_LENGTH : INLINE_WEIGHTS_LENGTH;
}

/** The thread is started with the first large history. */
export function createConverter(): Converter {
  const counts = { inThread: 0 };
  const thread = createThreadClient<ConversionTask, Converted>({
    workerFile: createRequire(import.meta.url).resolve('#conversion-worker'),
    stopped: 'The conversion stopped before it was done.',
    atOnce: 1,
    maxHeapMb: MAX_HEAP_MB,
  });
  return {
    counts,
    async convert(projectId, to, text) {
      counts.inThread += 1;
      const pieces = typeof text === 'string' ? [Buffer.from(text)] : text;
      const converted = await thread.ask(projectId, { to, text: pieces });
      if ('code' in converted) throw new DistributionError(converted.code, converted.message);
      return cut(converted);
    },
    close: thread.close,
  };
}
