import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../errors.js';
import { createSilenceWatch, type SilenceWatch } from '../../silence-watch.js';
import type { FromSignatureThread, SignatureCheck, ToSignatureThread, Verdict } from './protocol.js';

/** Checks that go to the thread together. */
const SLICE = 64;
/** A slice takes milliseconds, and at most a second for each check that searches. */
const SILENT_MS = 60_000;

/** Checks signatures in a thread of its own, where projects take turns. */
export interface SignatureChecker {
  /**
   * The verdict of each check. Checks go on until `maxFaults` signatures were wrong; the rest is `unchecked`. Rejects
   * with `Unavailable` when the thread ends.
   */
  check(
    projectId: string,
    checks: readonly SignatureCheck[],
    maxFaults?: number,
  ): Promise<(Verdict | undefined)[]>;
  /** Signatures verified, and checks left out, since the start. */
  readonly counts: { verifications: number; unchecked: number };
  close(): Promise<void>;
}

interface Lane {
  worker: Worker;
  watch: SilenceWatch;
  waiting: Map<number, { resolve(verdicts: Verdict[]): void; reject(error: Error): void }>;
}

/** The thread is started when the first signature is to be checked, and again after it ended. */
export function createSignatureChecker(): SignatureChecker {
  const counts = { verifications: 0, unchecked: 0 };
  let current: Lane | undefined;
  let lastId = 0;

  function startLane(): Lane {
    const worker = new Worker(createRequire(import.meta.url).resolve('#signature-worker'), { env: {} });
    const end = (cause?: Error) => {
      if (current === lane) current = undefined;
      lane.watch.end();
      for (const { reject } of lane.waiting.values()) reject(toStopped(cause));
      lane.waiting.clear();
    };
    const hang = () => {
      end(new Error(`The thread was silent for ${SILENT_MS} ms.`));
      void worker.terminate();
    };
    const lane: Lane = { worker, watch: createSilenceWatch(SILENT_MS, hang), waiting: new Map() };
    worker.on('message', ({ id, verifications, verdicts, failure }: FromSignatureThread) => {
      lane.watch.answered();
      counts.verifications += verifications;
      const asker = lane.waiting.get(id);
      lane.waiting.delete(id);
      if (lane.waiting.size === 0) worker.unref();
      if (verdicts === undefined) asker?.reject(new Error(failure));
      else asker?.resolve(verdicts);
    });
    worker.on('error', end);
    worker.on('exit', () => end());
    worker.unref();
    return lane;
  }

  function ask(request: Omit<ToSignatureThread, 'id'>): Promise<Verdict[]> {
    current ??= startLane();
    const { worker, watch, waiting } = current;
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.ref();
      watch.asked();
      worker.postMessage({ id, ...request } satisfies ToSignatureThread);
    });
  }

  return {
    counts,
    async check(projectId, checks, maxFaults = Number.POSITIVE_INFINITY) {
      const verdicts: Verdict[] = [];
      for (let left = maxFaults; left > 0 && verdicts.length < checks.length; ) {
        const slice = checks.slice(verdicts.length, verdicts.length + SLICE);
        const found = await ask({ projectId, checks: slice, maxFaults: left });
        left -= found.filter((verdict) => verdict !== 'unchecked' && !verdict.verified).length;
        verdicts.push(...found);
      }
      const results = checks.map((_, index) => verdicts[index] ?? 'unchecked');
      counts.unchecked += results.filter((verdict) => verdict === 'unchecked').length;
      return results;
    },
    async close() {
      await current?.worker.terminate();
    },
  };
}

function toStopped(cause: unknown): ServiceError {
  return new ServiceError('Unavailable', 'The signatures were not checked to their end.', { cause });
}
