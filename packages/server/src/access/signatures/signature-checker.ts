import { createRequire } from 'node:module';
import { createThreadClient } from '../../platform/threads/thread-client.js';
import type {
  CheckedSignature,
  CheckTask,
  SignatureCheck,
  SignatureVerdict,
  SigningTask,
} from './protocol.js';

/** Number of checks in one message to the thread. */
const SLICE = 64;

/** Checks signatures and signs long texts in a separate thread, in which projects take turns. */
export interface SignatureChecker {
  /** After `maxFaults` wrong signatures, the rest is `unchecked`. Rejects with `Unavailable` when the thread ends. */
  check(
    projectId: string,
    checks: readonly SignatureCheck[],
    maxFaults?: number,
  ): Promise<(SignatureVerdict | undefined)[]>;
  /** With `moves`, the thread takes the buffer of the bytes. Rejects with `Unavailable` when the thread ends. */
  sign(task: SigningTask, options?: { moves?: boolean }): Promise<Uint8Array>;
  /** Counts since the start of the service. */
  readonly counts: { verifications: number; unchecked: number; signed: number };
  close(): Promise<void>;
}

export function createSignatureChecker(): SignatureChecker {
  const counts = { verifications: 0, unchecked: 0, signed: 0 };
  const thread = createThreadClient<CheckTask | SigningTask, CheckedSignature | Uint8Array>({
    workerFile: createRequire(import.meta.url).resolve('#signature-worker'),
    stopped: 'The thread for signatures stopped before the request was complete. Send the request again.',
    // Projects take turns inside the thread, so no request waits outside of it.
    atOnce: Number.POSITIVE_INFINITY,
  });
  return {
    counts,
    async check(projectId, checks, maxFaults = Number.POSITIVE_INFINITY) {
      const found: SignatureVerdict[] = [];
      for (let left = maxFaults; left > 0 && found.length < checks.length; ) {
        const slice = checks.slice(found.length, found.length + SLICE);
        const task = { projectId, checks: slice, maxFaults: left };
        const { verdicts, verifications } = (await thread.ask(projectId, task)) as CheckedSignature;
        counts.verifications += verifications;
        left -= verdicts.filter((verdict) => verdict !== 'unchecked' && !verdict.verified).length;
        found.push(...verdicts);
      }
      const results = checks.map((_, index) => found[index] ?? 'unchecked');
      counts.unchecked += results.filter((verdict) => verdict === 'unchecked').length;
      return results;
    },
    async sign(task, { moves = false } = {}) {
      const { buffer } = task.bytes;
      const moved = moves && buffer instanceof ArrayBuffer ? [buffer] : [];
      const signature = (await thread.ask(task.projectId, task, { moved })) as Uint8Array;
      counts.signed += 1;
      return signature;
    },
    close: thread.close,
  };
}
