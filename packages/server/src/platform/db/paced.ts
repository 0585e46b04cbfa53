import { setTimeout as sleep } from 'node:timers/promises';
import { type Queryable, untilAborted } from './database.js';

const MAX_PAUSE_MS = 20;

/** Pauses before each statement while `isContended()`: a read of short statements takes at most half of a processor. */
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

/** A pause is as long as the time since the previous call ended, but at most 20 ms. */
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

/** Paces the read of a project while other projects have requests. Starts no statement after an abort. */
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
