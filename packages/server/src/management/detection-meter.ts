import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../platform/db/database.js';
import { addDetections, type DetectionBatch, type DetectionCount } from './detections.sql.js';

/** A finding of the public detector, and the project whose publication it found. */
export type DetectorFinding = Pick<DetectionCount, 'projectId' | 'layer' | 'confidence'>;

/** Counts the findings of the public detector, and writes the counts outside of the requests. */
export interface DetectionMeter {
  count(finding: DetectorFinding): void;
  /** Writes the counts. Always resolves: after a failure it logs the error and retains the counts. */
  flush(): Promise<void>;
  /** Stops the timer and writes the rest. */
  close(): Promise<void>;
}

const USUAL_INTERVAL_MS = 5_000;

/**
 * Starts a meter that writes once per interval, if there are counts. A batch that is sent again because its response
 * was lost is counted only once. A process that is killed loses the counts since its last batch. The counts need little
 * memory: the detector has few findings per second, and none while the database is unavailable.
 */
export function createDetectionMeter(
  control: Database,
  {
    reportFailure,
    intervalMs = USUAL_INTERVAL_MS,
  }: { reportFailure: (error: unknown) => void; intervalMs?: number },
): DetectionMeter {
  const meterId = uuidv7();
  let counts = new Map<string, DetectionCount>();
  let number = 0;
  let unsent: DetectionBatch | undefined;
  let last = Promise.resolve();

  async function sendUnsent(): Promise<void> {
    if (unsent === undefined) return;
    await addDetections(control, unsent);
    unsent = undefined;
  }

  async function send(): Promise<void> {
    try {
      await sendUnsent();
      if (counts.size === 0) return;
      unsent = { meterId, number: ++number, counts: [...counts.values()] };
      counts = new Map();
      await sendUnsent();
    } catch (error) {
      reportFailure(error);
    }
  }

  function flush(): Promise<void> {
    last = last.then(send);
    return last;
  }

  const timer = setInterval(() => {
    if (counts.size > 0 || unsent !== undefined) void flush();
  }, intervalMs).unref();

  return {
    count(finding) {
      const day = new Date().toISOString().slice(0, 10);
      const key = [day, ...Object.values(finding)].join(' ');
      const known = counts.get(key)?.findings ?? 0;
      counts.set(key, { ...finding, day, findings: known + 1 });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
