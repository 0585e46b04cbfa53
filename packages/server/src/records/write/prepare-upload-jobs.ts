import type { RecordDeps } from '../deps.js';
import type { RecordItem } from '../draft/record-item.js';
import type { StagedUpload } from '../draft/stage-upload.js';
import { beginMatching, type Matched, type UploadMatching } from './match-upload.js';

interface StoredUpload {
  upload: StagedUpload;
  described: NonNullable<RecordItem['upload']>;
  /** Set if the search is already running. */
  matching?: UploadMatching | undefined;
  /** Aborts when the caller no longer waits for the recording. */
  signal: AbortSignal | undefined;
}

/** Waits for the matches of the upload, and drafts its jobs. */
export async function prepareUploadJobs(
  deps: RecordDeps,
  projectId: string,
  { upload, described, signal, matching = beginMatching(deps, projectId, upload) }: StoredUpload,
): Promise<Matched> {
  const matched = await matching.wait();
  const pins = await deps.copies.draftPins(projectId, { upload: described, signal });
  return { ...matched, jobs: [...(matched.jobs ?? []), ...(pins.jobs ?? [])] };
}
