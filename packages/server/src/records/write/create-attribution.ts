import type { Attribution, AttributionInput } from '@colophon/model';
import { uuidv7 } from '../../platform/uuid-v7.js';
import type { RecordDeps } from '../deps.js';
import { draftAttribution } from '../draft/draft-records.js';
import { requireWritten } from './outcome.js';

export async function createAttribution(
  { recorder }: RecordDeps,
  projectId: string,
  input: AttributionInput,
): Promise<{ created: boolean; attribution: Attribution }> {
  const draft = draftAttribution({ ...input, id: uuidv7() }, {}, new Date());
  const written = requireWritten(await recorder.record(projectId, { attributions: [draft] }));
  const [made] = written.outcome === 'recorded' ? written.attributions : [];
  if (made === undefined)
    throw new Error('The database recorded an attribution and returned no result for it');
  return made;
}
