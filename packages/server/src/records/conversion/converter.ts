import { createRequire } from 'node:module';
import { DistributionError } from '@colophon/model';
import { cut, type JsonText, lengthOf, toText } from '../../platform/json-text.js';
import { createThreadClient } from '../../platform/threads/thread-client.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { type Conversion, type ConversionTask, type Converted, convert } from './convert.js';

/** Longer histories would block the main thread for more than a few milliseconds. */
const INLINE_LENGTH = 2 ** 18;
/** Precise weights need long integers: 64 of them take at most 2 ms, 640 take 200 ms. */
const INLINE_WEIGHTS_LENGTH = 2 ** 13;
/** A bundle of this length has about 170 such weights. */
const INLINE_SHARES_LENGTH = 2 ** 16;
/** Heap of the thread. A history of 32 MiB needs a few times its size in memory. */
const MAX_HEAP_MB = 512;

/** Converts histories in a separate thread, one at a time. Projects take turns. */
export interface Converter {
  /** Calls the function `convert` in the thread. Rejects with `Unavailable` when the thread ends. */
  convert(projectId: string, to: Conversion, text: JsonText): Promise<JsonText>;
  /** Histories converted in the thread since the start of the service. */
  readonly counts: { inThread: number };
  close(): Promise<void>;
}

/** Converts a history or recipients: small ones in the main thread, others in the separate thread in a fair queue. */
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

/** Creates the converter. Its thread starts with the first large history. */
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
