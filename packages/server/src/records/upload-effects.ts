import { type Matched, matchUpload } from './matching/match-upload.js';
import type { RecordNeeds } from './needs.js';
import { draftPins } from './pin-content.js';
import type { RecordItem } from './record-item.js';
import type { StagedUpload } from './stage-upload.js';

/** What follows from bytes that were stored: what they look like, and the jobs that pin and describe them. */
export async function effectsOf(
  needs: RecordNeeds,
  projectId: string,
  { upload, described }: { upload: StagedUpload; described: NonNullable<RecordItem['upload']> },
): Promise<Matched> {
  const matched = await matchUpload(needs, projectId, upload);
  const pins = draftPins(await needs.pinProviders(projectId), described);
  return { ...matched, jobs: [...(matched.jobs ?? []), ...(pins.jobs ?? [])] };
}
