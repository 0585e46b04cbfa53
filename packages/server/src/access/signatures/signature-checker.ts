import { createRequire } from 'node:module';
import { createThreadClient } from '../../platform/threads/thread-client.js';
import type { CheckedSignature, CheckTask, SignatureCheck, SignatureVerdict } from './protocol.js';

/** Number of checks in one message to the thread. */
const SLICE = 64;

/** Checks signatures in a separate thread, in which projects take turns. */
export interface SignatureChecker {
  /**
   * Returns the result of each check. After `maxFaults` wrong signatures, the remaining checks are `unchecked`. Rejects
   * with `Unavailable` when the thread ends.
   */
  check(
    projectId: string,
    checks: readonly SignatureCheck[],
    maxFaults?: number,
  ): Promise<(SignatureVerdict | undefined)[]>;
  /** Numbers of verifications and of unchecked signatures since the start of the service. */
  readonly counts: { verifications: number; unchecked: number };
  close(): Promise<void>;
}

export function createSignatureChecker(): SignatureChecker {
  const counts = { verifications: 0, unchecked: 0 };
  const thread = createThreadClient<CheckTask, CheckedSignature>({
    workerFile: createRequire(import.meta.url).resolve('#signature-worker'),
    stopped: 'The check of the signatures stopped before it was complete. Send the request again.',
    // No limit, because projects take turns inside the thread. One request can need seconds of CPU time.
    atOnce: Number.POSITIVE_INFINITY,
  });
  return {
    counts,
    async check(projectId, checks, maxFaults = Number.POSITIVE_INFINITY) {
      const found: SignatureVerdict[] = [];
      for (let left = maxFaults; left > 0 && found.length < checks.length; ) {
        const slice = checks.slice(found.length, found.length + SLICE);
        const task = { projectId, checks: slice, maxFaults: left };
        const { verdicts, verifications } = await thread.ask(projectId, task);
        counts.verifications += verifications;
        left -= verdicts.filter((verdict) => verdict !== 'unchecked' && !verdict.verified).length;
        found.push(...verdicts);
      }
      const results = checks.map((_, index) => found[index] ?? 'unchecked');
      counts.unchecked += results.filter((verdict) => verdict === 'unchecked').length;
      return results;
    },
    close: thread.close,
  };
}
