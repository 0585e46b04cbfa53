import { createRequire } from 'node:module';
import { type Bundle, DistributionError, type Recipient } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { cut, type JsonText, lengthOf, toText } from '../../platform/json-text.js';
import { createThreadClient } from '../../platform/threads/thread-client.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { type Conversion, type ConversionTask, type Converted, convert } from './convert.js';
import { estimateSharesBits, estimateWeightsBits } from './estimate-shares.js';

/** Maximum length of a history that the main thread converts. A longer one would block it for milliseconds. */
const INLINE_LENGTH = 2 ** 18;
/** Maximum length of a JSON list of recipients whose shares the main thread computes. */
const INLINE_WEIGHTS_LENGTH = 2 ** 13;
/** Maximum length of a history whose shares the main thread computes. */
const INLINE_SHARES_LENGTH = 2 ** 16;
/** Maximum estimate for the main thread, in bits. Exact fractions need long integers even for short inputs. */
const INLINE_SHARES_BITS = 2 ** 10;
/** Only shares need a limit. Every other conversion is linear in the length of its text. */
const SHARES_MS = 10_000;
/** A history has up to 32 MiB and needs a few times its size in memory. */
const MAX_HEAP_MB = 512;

/** Converts in a separate thread, one input at a time. Projects take turns. */
export interface Converter {
  /**
   * Rejects with a `DistributionError` when no shares can be computed, with `Timeout` when they take too long, with
   * `Unavailable` when the thread ends, and with the reason of `signal` on abort.
   */
  convert(projectId: string, to: Conversion, text: JsonText, signal?: AbortSignal): Promise<JsonText>;
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

/** The thread starts at the first long input, and again after a timeout. */
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
