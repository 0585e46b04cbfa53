import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineWorkerSettings } from './protocol.js';
import { startWorker, type WorkerLink } from './worker-link.js';

/** Default of `silentMs`. It equals the time limit of a statement on PostgreSQL. */
const SILENT_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const FIRST_START_MS = 30_000;

export interface EngineOptions {
  /** Maximum time for which the thread may send nothing while a query waits. */
  silentMs?: number;
  /** Time limit of the first restart. It doubles with each attempt, because a long log takes time to read. */
  firstStartMs?: number;
  /** Called for every stop and for every failed restart. */
  report?: (error: Error) => void;
}

export interface RunningEngine {
  link(): WorkerLink;
  close(): Promise<void>;
}

/** Restarts an engine with a directory when its thread ends: the write-ahead log contains every acknowledged commit. */
export async function keepRunning(
  settings: EngineWorkerSettings,
  { silentMs = SILENT_MS, firstStartMs = FIRST_START_MS, report = writeToStderr }: EngineOptions,
): Promise<RunningEngine> {
  let link = await startWorker(settings, { silentMs });
  const closing = new AbortController();

  const startAgain = async (): Promise<void> => {
    for (let tries = 0; ; tries++) {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
      await sleep(pauseMs, undefined, { signal: closing.signal });
      try {
        link = await startWorker(settings, { silentMs, startMs: firstStartMs * 2 ** tries });
        return;
      } catch (error) {
        report(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const reason = await link.ended;
      if (closing.signal.aborted) return;
      report(reason);
      if (settings.directory === undefined) return;
      await startAgain();
    }
  };
  const watching = watch().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });

  const endAnyway = (error: Error) => {
    report(error);
    link.terminate();
  };

  return {
    link: () => link,
    async close() {
      closing.abort();
      // Wait until a restart in progress ends.
      if (link.isDown()) await watching;
      // If closing fails, no change is lost: the write-ahead log contains all of them.
      if (!link.isDown()) await link.close().catch(endAnyway);
      await link.ended;
    },
  };
}

function writeToStderr(error: Error): void {
  process.stderr.write(`${error.message}\n`);
}
