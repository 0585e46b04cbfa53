import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineWorkerSettings } from './protocol.js';
import { startWorker, type WorkerLink } from './worker-link.js';

/** The time limit of a statement on PostgreSQL. */
const SILENT_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** Time limit of the first start. The next one gets more, since it may read a long write-ahead log. */
const FIRST_START_MS = 30_000;

export interface EngineOptions {
  /** The longest silence of the thread while a query waits. */
  silentMs?: number;
  /** Time limit of the first start after a stop. It doubles with each further one. */
  firstStartMs?: number;
  /** Called for every stop, and for every failed start after one. */
  report?: (error: Error) => void;
}

export interface RunningEngine {
  link(): WorkerLink;
  close(): Promise<void>;
}

/**
 * Runs the engine, and starts it again when its thread ends because of a full disk, a failed sync or a hang. As
 * after a crash, the write-ahead log holds every acknowledged commit. An engine in memory has nothing to start
 * from.
 */
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
      // Waits for a start that is under way.
      if (link.isDown()) await watching;
      // Changes that it cannot write any more are in the write-ahead log.
      if (!link.isDown()) await link.close().catch(endAnyway);
      await link.ended;
    },
  };
}

function writeToStderr(error: Error): void {
  process.stderr.write(`${error.message}\n`);
}
