import { createRequire } from 'node:module';
import { type Bundle, DistributionError, type Recipient } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { cut, type JsonText, lengthOf, toText } from '../../platform/json-text.js';
import { createThreadClient } from '../../platform/threads/thread-client.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { type Conversion, type ConversionTask, type Converted, convert } from './convert.js';
import { estimateSharesBits, estimateWeightsBits } from './estimate-shares.js';

/**
 * Maximum length of a history that the main thread converts. A longer history would block this thread for several
 * milliseconds.
 */
const INLINE_LENGTH = 2 ** 18;
/** Maximum length of a JSON list of recipients with weights. Up to this length, the main thread computes the shares. */
const INLINE_WEIGHTS_LENGTH = 2 ** 13;
/** Maximum length of a history whose shares the main thread computes. */
const INLINE_SHARES_LENGTH = 2 ** 16;
/**
 * Maximum estimate, in bits (`estimateSharesBits`), for shares that the main thread computes. Exact fractions need
 * integers as long as all denominators together: 180 weights with 64 digits take 0.2 s for each content to which they
 * apply.
 */
const INLINE_SHARES_BITS = 2 ** 10;
/** Maximum duration of a computation of shares. Every other conversion is linear in the length of its text. */
const SHARES_MS = 10_000;
/** Heap limit of the thread. A history has up to 32 MiB and needs a few times its size in memory. */
const MAX_HEAP_MB = 512;

/** Converts histories and lists of recipients in a separate thread, one at a time. Projects take turns. */
export interface Converter {
  /**
   * Runs `convert` in the thread. Rejects with a `DistributionError` when no shares can be computed, with `Timeout` when
   * the shares take too long, with `Unavailable` when the thread ends, and with the reason of `signal` on abort.
   */
  convert(projectId: string, to: Conversion, text: JsonText, signal?: AbortSignal): Promise<JsonText>;
  /** Number of conversions in the thread since the start of the service. */
  readonly counts: { inThread: number };
  close(): Promise<void>;
}

/** Converts short input in the main thread. Longer input waits in the fair queue for the separate thread. */
export async function convertHistory(
  { converter, scheduler }: { converter: Converter; scheduler: Pick<Scheduler, 'run'> },
  projectId: string,
  { to, text, signal }: { to: Conversion; text: JsonText; signal: AbortSignal | undefined },
): Promise<JsonText> {
  if (lengthOf(text) <= inlineLength(to)) {
    const input: unknown = JSON.parse(toText(text));
    if (isQuick(to, input)) return convert(to, input);
  }
  const turn = { projectId, kind: 'history', signal } as const;
  return scheduler.run(turn, (running) => converter.convert(projectId, to, text, running));
}

/** Whether the main thread converts a short input. */
function isQuick(to: Conversion, input: unknown): boolean {
  if (typeof to === 'string' || 'published' in to) return true;
  const bits =
    'shares' in to
      ? estimateSharesBits(input as Bundle, to.shares)
      : estimateWeightsBits(input as Recipient[]);
  return bits <= INLINE_SHARES_BITS;
}

function inlineLength(to: Conversion): number {
  if (typeof to === 'string' || 'published' in to) return INLINE_LENGTH;
  return 'shares' in to ? INLINE_SHARES_LENGTH : INLINE_WEIGHTS_LENGTH;
}

/** Creates a converter. Its thread starts at the first long input, and again after a computation that took too long. */
export function createConverter({ sharesMs = SHARES_MS } = {}): Converter {
  const counts = { inThread: 0 };
  const thread = createThreadClient<ConversionTask, Converted>({
    workerFile: createRequire(import.meta.url).resolve('#conversion-worker'),
    stopped: 'The conversion stopped before it was complete. Send the request again.',
    atOnce: 1,
    maxHeapMb: MAX_HEAP_MB,
  });
  return {
    counts,
    async convert(projectId, to, text, signal) {
      counts.inThread += 1;
      const pieces = typeof text === 'string' ? [Buffer.from(text)] : text;
      const limit = isForShares(to) ? { timeoutMs: sharesMs, toTimeout } : undefined;
      const converted = await thread.ask(projectId, { to, text: pieces }, { signal, limit });
      if ('code' in converted) throw new DistributionError(converted.code, converted.message);
      return cut(converted);
    },
    close: thread.close,
  };
}

function isForShares(to: Conversion): boolean {
  return typeof to === 'object' && !('published' in to);
}

function toTimeout(timeoutMs: number): ServiceError {
  return new ServiceError('Timeout', `The shares were not computed within ${timeoutMs} ms.`, {
    status: 504,
    recovery: 'Use a smaller depth, or weights and a decay with fewer digits.',
  });
}
