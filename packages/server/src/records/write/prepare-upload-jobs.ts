import type { RecordDeps } from '../deps.js';
import type { RecordItem } from '../draft/record-item.js';
import type { StagedUpload } from '../draft/stage-upload.js';
import { beginMatching, type Matched, type UploadMatching } from './match-upload.js';

/** An upload whose bytes are in the store. */
interface StoredUpload {
  upload: StagedUpload;
  described: NonNullable<RecordItem['upload']>;
  /** The search, where it has begun earlier. */
  matching?: UploadMatching | undefined;
  /** Aborts when no caller waits for the recording. */
  signal: AbortSignal | undefined;
}

/** Prepares the effects of stored bytes: their matches, and the jobs that pin and describe them. */
export async function prepareUploadJobs(
  deps: RecordDeps,
  projectId: string,
  { upload, described, signal, matching = beginMatching(deps, projectId, upload) }: StoredUpload,
): Promise<Matched> {
  const matched = await matching.wait();
  const pins = await deps.copies.draftPins(projectId, { upload: described, signal });
  return { ...matched, jobs: [...(matched.jobs ?? []), ...(pins.jobs ?? [])] };
}
