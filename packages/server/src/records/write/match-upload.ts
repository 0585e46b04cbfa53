import { v7 as uuidv7 } from 'uuid';
import { KINDS, type Kind } from '../../search/descriptor.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { RecordDeps } from '../deps.js';
import type { RecordItem } from '../draft/record-item.js';
import type { StagedUpload } from '../draft/stage-upload.js';
import {
  codableAs,
  describableAs,
  describeStored,
  toUndescribed,
  turnToDescribe,
} from '../matching/describe-content.js';
import { toDescriptor } from '../matching/describe-job.js';
import { EMBED_JOB } from '../matching/embed-job.js';
import { findMatches } from '../matching/find-matches.js';

export const DESCRIBE_JOB = 'describe';
/** Describing a video can take minutes, and other content must not wait for it. */
export const DESCRIBE_VIDEO_JOB = 'describe-video';

export function describeJobOf(kind: Kind): string {
  return kind === 'video' ? DESCRIBE_VIDEO_JOB : DESCRIBE_JOB;
}

export type Matched = Required<Pick<RecordItem, 'matches' | 'matchesComplete'>> &
  Pick<RecordItem, 'descriptor' | 'jobs'>;

/** Without `bytes`, the service reads the content from the store. */
export type MatchedUpload = Pick<StagedUpload, 'digests' | 'mimeType'> & { bytes?: Uint8Array | undefined };

export interface UploadMatching {
  /** Resolves within `waitMs` of this call. If the matches take longer, a job describes the content instead. */
  wait(): Promise<Matched>;
}

/** `wait` never rejects, because a failure must not stop a recording. A job computes the ISCC, which takes too long. */
export function beginMatching(deps: RecordDeps, projectId: string, upload: MatchedUpload): UploadMatching {
  const { digests, mimeType } = upload;
  const { cid, contentDigest, sizeBytes } = digests;
  const { waitMs, embedder } = deps.matching;
  const kind = describableAs(deps.matching, { mimeType, sizeBytes });
  const payload = { cid, contentDigest, mimeType, sizeBytes };
  const codedKind = codableAs(deps.matching, { mimeType, sizeBytes });
  const later = (as: Kind) => ({ id: uuidv7(), kind: describeJobOf(as), payload });
  const codeLater = codedKind === undefined ? [] : [later(codedKind)];
  if (kind === undefined)
    return { wait: async () => ({ matches: [], matchesComplete: true, jobs: codeLater }) };
  const jobs = kind === 'text' && embedder !== undefined ? [{ id: uuidv7(), kind: EMBED_JOB, payload }] : [];
  const incomplete: Matched = { matches: [], matchesComplete: false, jobs: [...jobs, later(kind)] };
  // Decoding a video takes seconds, so a recording never waits for it.
  if (waitMs === 0 || kind === 'video') return { wait: async () => incomplete };
  const left = new AbortController();
  const found = lookUpInTurn(deps, projectId, { upload, kind, signal: left.signal }).then(
    (matched): Matched => ({ ...matched, jobs: [...jobs, ...codeLater] }),
    () => incomplete,
  );
  return { wait: () => within(found, { limitMs: waitMs, otherwise: incomplete, left }) };
}

async function lookUpInTurn(
  deps: RecordDeps,
  projectId: string,
  { upload, kind, signal }: { upload: MatchedUpload; kind: Kind; signal: AbortSignal },
) {
  const { digests, mimeType, bytes } = upload;
  const content = toUndescribed(deps.blobs, kind, { projectId, ...digests, mimeType, bytes });
  const turn = { ...(await turnToDescribe(deps.matching, content)), projectId, signal };
  // Aborting a description that has begun would end a warm thread, and the next ones would wait for a new thread.
  const begun = new AbortController().signal;
  return deps.scheduler.run(turn, (_signal, hold) =>
    lookUp(deps, projectId, { upload, kind, place: { signal: begun, hold } }),
  );
}

async function lookUp(
  deps: RecordDeps,
  projectId: string,
  { upload, kind, place }: { upload: MatchedUpload; kind: Kind; place: SearchContext },
): Promise<Matched> {
  const { digests, mimeType, bytes } = upload;
  const { cid, contentDigest, sizeBytes } = digests;
  const stored = { projectId, contentDigest, mimeType, sizeBytes, bytes };
  const description = await describeStored(deps, stored, place);
  const kept = toDescriptor(KINDS[kind].method, description);
  const written = kept === undefined ? {} : { descriptor: { cid, ...kept } };
  if (description.kind === 'nothing') return { matches: [], matchesComplete: true, ...written };
  const { described } = description;
  const query = { described, except: cid, place, asIndexed: true } as const;
  const found = await findMatches({ db: deps.provenance, matching: deps.matching }, projectId, query);
  return { matches: found.map(({ match }) => match), matchesComplete: true, ...written };
}

/** Resolves to the result of `work`. At the time limit, resolves to `otherwise` and aborts `left`. */
function within<T>(
  work: Promise<T>,
  { limitMs, otherwise, left }: { limitMs: number; otherwise: T; left: AbortController },
): Promise<T> {
  return new Promise((resolve) => {
    const giveUp = () => {
      resolve(otherwise);
      left.abort();
    };
    // `setImmediate` gives precedence to a result that arrived in time while this thread was busy.
    const timer = setTimeout(() => setImmediate(giveUp), limitMs);
    void work.then(resolve).finally(() => clearTimeout(timer));
  });
}
