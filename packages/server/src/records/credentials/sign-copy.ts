import type { SignedSummary } from '../../media/manifest-reading.js';
import type { SignRequest } from '../../media/media-engine.js';
import { type StagedUpload, stageFile } from '../draft/stage-upload.js';
import type { CredentialDeps } from './deps.js';

interface SignedCopy {
  summary: SignedSummary;
  /** The caller discards the upload. */
  upload: StagedUpload;
}

/** Stages the copy while the engine verifies it. A rejected call leaves nothing in the store. */
export async function signCopy(
  {
    credentials: { engine, times },
    ...staging
  }: Parameters<typeof stageFile>[0] & { credentials: CredentialDeps },
  projectId: string,
  request: Omit<SignRequest, 'onWritten'>,
): Promise<SignedCopy> {
  const stage = () => stageFile(staging, projectId, request.outputPath);
  const copy: { staged?: Promise<PromiseSettledResult<StagedUpload>[]> } = {};
  const onWritten = () => {
    copy.staged = Promise.allSettled([times.time('store', stage)]);
  };
  try {
    const { summary } = await (await engine.get()).sign({ ...request, onWritten });
    const [outcome] = (await copy.staged) ?? [];
    if (outcome?.status === 'fulfilled') return { summary, upload: outcome.value };
    throw outcome?.reason ?? new Error('The engine did not report that the copy was written');
  } catch (error) {
    const [outcome] = (await copy.staged) ?? [];
    if (outcome?.status === 'fulfilled') await outcome.value.discard();
    throw error;
  }
}
