import { setTimeout as sleep } from 'node:timers/promises';
import { type Queryable, untilAborted } from './database.js';

const MAX_PAUSE_MS = 20;

/**
 * Returns a database for a long read of many statements. While `isContended()` is true, it pauses before each statement
 * except the first. The pause is as long as the time since the previous statement began, but at most 20 ms. With
 * statements of up to 20 ms, the read takes at most about half of a processor.
 */
export function paced(
  { query }: Queryable,
  isContended: () => boolean,
  pause: (ms: number) => Promise<void> = sleep,
): Queryable {
  const pauseBefore = createPauses(isContended, pause);
  return {
    async query(text, parameters, signal) {
      await pauseBefore();
      return (await query(text, parameters, signal)) as never;
    },
  };
}

/**
 * Returns a function that pauses if `isContended()` is true. The pause is as long as the time since the previous call
 * ended, but at most 20 ms. The first call does not pause.
 */
export function createPauses(
  isContended: () => boolean,
  pause: (ms: number) => Promise<void> = sleep,
): () => Promise<void> {
  let resumedAtMs: number | undefined;
  return async () => {
    if (resumedAtMs !== undefined && isContended())
      await pause(Math.min(performance.now() - resumedAtMs, MAX_PAUSE_MS));
    resumedAtMs = performance.now();
  };
}

/**
 * Returns a `paced` database for a read of a project. The database is contended while other projects have requests. It
 * starts no statement after `signal` has aborted.
 */
export function pacedFor(
  {
    db,
    hasOtherRequests = () => false,
  }: { db: Queryable; hasOtherRequests?: ((projectId: string) => boolean) | undefined },
  projectId: string,
  signal: AbortSignal | undefined,
): Queryable {
  return paced(untilAborted(db, signal), () => hasOtherRequests(projectId));
}
