import type { JobHandler } from '../../platform/jobs/run-jobs.js';
import type { Copies } from './copies.js';
import { type PinningDeps, type PinPayload, sendPin } from './pin-content.js';
import { notePinned } from './pins.sql.js';

const JOB_BASE_MS = 5 * 60_000;

/** Content that was pinned before its recording is not pinned again. */
export function createPinJob(deps: PinningDeps & { copies: Pick<Copies, 'ensureStored'> }): JobHandler {
  const { provenance, blobs, copies, providersOf } = deps;
  return async ({ projectId, payload: given }, signal) => {
    const payload = given as PinPayload;
    const { provider, cid } = payload;
    const ref = { projectId, contentDigest: `sha256:${payload.contentDigest}` };
    const send = async () => {
      if (!(await providersOf(projectId)).includes(provider))
        throw new Error(`the project's content is no longer pinned on ${provider}`);
      await copies.ensureStored(ref, cid, signal);
      return sendPin(deps, projectId, { payload, baseMs: JOB_BASE_MS, signal });
    };
    const pinned = payload.pinned ?? (await send());
    await notePinned(provenance, projectId, { cid, provider, pinnedAs: pinned.cid, uri: pinned.uri });
    if (provider === 'pinata') blobs.release(ref);
  };
}
