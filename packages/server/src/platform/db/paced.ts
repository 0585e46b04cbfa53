import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from './database.js';

const MAX_PAUSE_MS = 20;

/**
 * A database for a long read of many statements. Before each further statement, while `isContended`, it pauses for as
 * long as the read ran since the last pause, and for at most 20 ms. So the read takes at most about half of a processor.
 */
export function paced(
  { query }: Queryable,
  isContended: () => boolean,
  pause: (ms: number) => Promise<void> = sleep,
): Queryable {
  let resumedAtMs: number | undefined;
  return {
    async query(text, parameters, signal) {
      if (resumedAtMs !== undefined && isContended())
        await pause(Math.min(performance.now() - resumedAtMs, MAX_PAUSE_MS));
      resumedAtMs = performance.now();
      return (await query(text, parameters, signal)) as never;
    },
  };
}
