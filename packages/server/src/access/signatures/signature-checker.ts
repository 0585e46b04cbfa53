import { createRequire } from 'node:module';
import { createThreadClient } from '../../platform/threads/thread-client.js';
import type { CheckedSignature, CheckTask, SignatureCheck, SignatureVerdict } from './protocol.js';

/** Checks that go to the thread together. */
const SLICE = 64;

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
  ): Promise<(SignatureVerdict | undefined)[]>;
  /** Signatures verified, and checks left out, since the start. */
  readonly counts: { verifications: number; unchecked: number };
  close(): Promise<void>;
}

/** The thread is started when the first signature is to be checked. */
export function createSignatureChecker(): SignatureChecker {
  const counts = { verifications: 0, unchecked: 0 };
  const thread = createThreadClient<CheckTask, CheckedSignature>({
    workerFile: createRequire(import.meta.url).resolve('#signature-worker'),
    stopped: 'The signatures were not checked to their end.',
    // The thread takes turns itself: within one request there may be seconds of work.
    atOnce: Number.POSITIVE_INFINITY,
  });
  return {
    counts,
    async check(projectId, checks, maxFaults = Number.POSITIVE_INFINITY) {
      const found: SignatureVerdict[] = [];
      for (let left = maxFaults; left > 0 && found.length < checks.length; ) {
        const slice = checks.slice(found.length, found.length + SLICE);
        const asked = { projectId, checks: slice, maxFaults: left };
        const { verdicts, verifications } = await thread.ask(projectId, asked);
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
