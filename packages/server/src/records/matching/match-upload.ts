import type { Match } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import { KINDS } from '../../search/descriptor.js';
import type { RecordNeeds } from '../needs.js';
import type { RecordItem } from '../record-item.js';
import type { StagedUpload } from '../stage-upload.js';
import { describableAs, describeStored } from './describe-content.js';
import { toDescriptor } from './describe-job.js';
import { EMBED_JOB } from './embed-job.js';
import { findMatches } from './find-matches.js';

/** The kind of job that describes content whose description was not ready when it was recorded. */
export const DESCRIBE_JOB = 'describe';

/** What a recording writes and answers for the sake of matching. */
export type Matched = Required<Pick<RecordItem, 'matches' | 'matchesComplete'>> &
  Pick<RecordItem, 'descriptor' | 'jobs'>;

/** An upload that is looked for; `bytes` saves reading them from the store. */
export type MatchedUpload = Pick<StagedUpload, 'digests' | 'mimeType'> & { bytes?: Uint8Array | undefined };

/**
 * Describes an upload whose bytes are in the store, and looks for content like it, for as long as a recording waits.
 * What is not ready then becomes a job. Never rejects: matching is no reason to refuse a recording.
 */
export async function matchUpload(
  needs: RecordNeeds,
  projectId: string,
  { digests: { cid, contentDigest, sizeBytes }, mimeType, bytes }: MatchedUpload,
): Promise<Matched> {
  const stored = { projectId, contentDigest, mimeType, sizeBytes };
  const { pool, waitMs, embedder } = needs.matching;
  const kind = describableAs(needs.matching, stored);
  if (kind === undefined) return { matches: [], matchesComplete: true };
  const payload = { cid, contentDigest, mimeType, sizeBytes };
  const jobs = kind === 'text' && embedder !== undefined ? [{ id: uuidv7(), kind: EMBED_JOB, payload }] : [];
  const describeLater = { id: uuidv7(), kind: DESCRIBE_JOB, payload };
  const later = { matches: [], matchesComplete: false, jobs: [...jobs, describeLater] };
  const now = async (signal: AbortSignal): Promise<Matched> => {
    const description = await describeStored(needs, { ...stored, bytes }, { signal });
    const kept = toDescriptor(KINDS[kind].method, description);
    const descriptor = kept && { cid, ...kept };
    const described = description.kind === 'described' ? description.described : undefined;
    const found =
      described === undefined
        ? []
        : await findMatches({ provenance: needs.provenance, pool }, projectId, {
            described,
            except: cid,
            signal,
          });
    const matches = found.map(({ match }) => match);
    return { matches, matchesComplete: true, ...(descriptor && { descriptor }), jobs };
  };
  return waitMs === 0 ? later : within(now, waitMs, later);
}

/** What is like recorded content, for an answer that waits no longer than a recording does. */
export async function matchesOf(
  needs: RecordNeeds,
  projectId: string,
  upload: MatchedUpload,
): Promise<Match[]> {
  return (await matchUpload(needs, projectId, upload)).matches;
}

/** The result, or `otherwise` when it does not come in time, which the work is told, or fails. */
function within<T>(work: (signal: AbortSignal) => Promise<T>, limitMs: number, otherwise: T): Promise<T> {
  return new Promise((resolve) => {
    const late = new AbortController();
    const timer = setTimeout(() => {
      resolve(otherwise);
      late.abort();
    }, limitMs);
    work(late.signal)
      .then(resolve, () => resolve(otherwise))
      .finally(() => clearTimeout(timer));
  });
}
