import type { BlobStore } from '../../blobs/blob-store.js';
import { ServiceError } from '../../errors.js';
import type { Database, Queryable } from '../../platform/db/database.js';
import { type JobHandler, NotBegunError } from '../../platform/jobs/run-jobs.js';
import type { Scheduler, Task, Turn } from '../../platform/work/scheduler.js';
import { KINDS, type Kind, kindOf, type Method, namePart, nothingBy } from '../../search/descriptor.js';
import { type DescriptorText, toDescriptorText } from '../../search/descriptor-text.js';
import { type DescriptorRow, hasDescriptor, readExact } from '../../search/descriptors.sql.js';
import { hasIscc, writeIscc } from '../../search/iscc/stored-iscc.sql.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { CodedContent, Description } from '../../search/worker/protocol.js';
import type { Copies } from '../pinning/copies.js';
import { DECODER_LIMIT_MS, decodeVideo } from './decode-video.js';
import type { MatchingDeps } from './deps.js';
import {
  type BytesToDescribe,
  codableAs,
  codeStored,
  describableAs,
  describeStored,
  type StoredBytes,
  toUndescribed,
  turnToCode,
  turnToDescribe,
} from './describe-content.js';
import { keepDescriptors } from './keep-descriptor.js';

interface DescribeJobDeps {
  provenance: Database;
  blobs: BlobStore;
  copies: Pick<Copies, 'ensureStored' | 'has'>;
  matching: Pick<MatchingDeps, 'pool' | 'kinds' | 'index' | 'maxPictureBytes' | 'storesIscc' | 'ffmpeg'>;
  scheduler: Scheduler;
}

interface Payload {
  cid: string;
  contentDigest: string;
  mimeType: string;
  sizeBytes: number;
}

type DescribableContent = StoredBytes & { cid: string; kind: Kind };

type Computed = Pick<CodedContent, 'description' | 'units'>;

interface Missing {
  descriptor: boolean;
  iscc: boolean;
}

/** Stores the descriptor and the ISCC that content lacks. A repeated run changes nothing. */
export function createDescribeHandler(deps: DescribeJobDeps): JobHandler {
  return async ({ projectId, payload }, signal) => {
    const { cid, ...content } = payload as Payload;
    const kind = kindOf(content.mimeType);
    // A node with the decoder queues the content again when it starts.
    if (kind === undefined || !deps.matching.kinds.has(kind)) return;
    const recorded = { projectId, ...content, cid, kind };
    const missing = await findMissing(deps, recorded);
    if (!missing.descriptor && !missing.iscc) return;
    await deps.copies.ensureStored({ projectId, contentDigest: content.contentDigest }, cid, signal);
    const found = await computeInTurn(deps, recorded, { missing, signal });
    if (found.units !== undefined) await writeIscc(deps.provenance, projectId, { cid, units: found.units });
    const isKept = missing.descriptor && (await keepDescription(deps, recorded, found.description));
    if (!isKept && found.units === undefined) await assertKept(deps, recorded);
  };
}

async function findMissing(
  { provenance, matching }: DescribeJobDeps,
  { projectId, cid, kind, ...stored }: DescribableContent,
): Promise<Missing> {
  const { method } = KINDS[kind];
  return {
    descriptor: !(await hasDescriptor(provenance, projectId, { method, cid })),
    iscc: codableAs(matching, stored) !== undefined && !(await hasIscc(provenance, projectId, cid)),
  };
}

/** Uses one slot, which has the memory for both the decoder of a video and its frames. */
async function computeInTurn(
  deps: DescribeJobDeps,
  { cid, ...stored }: DescribableContent,
  { missing, signal }: { missing: Missing; signal: AbortSignal },
): Promise<Computed> {
  const { matching, blobs, scheduler } = deps;
  const { kind, projectId, mimeType: mediaType } = stored;
  const toTurn = missing.iscc ? turnToCode : turnToDescribe;
  const turn = await toTurn(matching, toUndescribed(blobs, kind, stored));
  const needsFrames = missing.descriptor && describableAs(matching, stored) !== undefined;
  const parts = !missing.iscc ? 'frames' : needsFrames ? 'both' : 'signature';
  const video = {
    mediaType,
    source: { blobs, stored },
    limitMs: DECODER_LIMIT_MS.background,
    parts,
  } as const;
  return runBegun(
    scheduler,
    { ...turn, projectId, signal, isBackground: true, canRestart: true },
    async (running, hold) => {
      const isVideo = kind === 'video' && (missing.iscc || needsFrames);
      const decoded = isVideo ? await decodeVideo(matching, video, running) : {};
      return computeMissing(deps, { ...stored, ...decoded }, { missing, place: { signal: running, hold } });
    },
  );
}

/** Rejects with a `NotBegunError` when the task does not get a slot. */
async function runBegun<T>(scheduler: Scheduler, turn: Turn, task: Task<T>): Promise<T> {
  let hasBegun = false;
  try {
    return await scheduler.run(turn, (running, hold) => {
      hasBegun = true;
      return task(running, hold);
    });
  } catch (error) {
    throw hasBegun ? error : new NotBegunError(error);
  }
}

/** After a timeout, computes both parts separately, so that one slow part does not prevent the other. */
async function computeMissing(
  deps: DescribeJobDeps,
  stored: BytesToDescribe & { kind: Kind },
  { missing, place }: { missing: Missing; place: SearchContext },
): Promise<Computed> {
  const together = missing.descriptor && missing.iscc && describableAs(deps.matching, stored) !== undefined;
  const code = (iscc: 'also' | 'only' | 'bytes') =>
    catchTimeout(place, (within) => codeStored(deps, { ...stored, iscc }, within));
  const first = missing.iscc ? await code(together ? 'also' : 'only') : undefined;
  const isLate = first instanceof ServiceError;
  if (together && !isLate) return first ?? {};
  const coded = isLate ? await code('bytes') : first;
  const units = coded instanceof ServiceError ? undefined : coded?.units;
  if (!missing.descriptor) return { ...(units && { units }) };
  const description = await catchTimeout(place, (within) =>
    describeStored(deps, { ...stored, isOnlyStored: true }, within),
  );
  return { ...(units && { units }), description: toFinal(description) };
}

/** Treats a timeout as final, because the next attempt would take as long. */
function toFinal(description: Description | ServiceError): Description {
  return description instanceof ServiceError ? { kind: 'nothing', reason: description.message } : description;
}

/** Returns a `Timeout` error once the threads have ended, so that the next task can use the memory of the slot. */
async function catchTimeout<T>(
  place: SearchContext,
  run: (place: SearchContext) => Promise<T>,
): Promise<T | ServiceError> {
  const threads: Promise<unknown>[] = [];
  const hold: SearchContext['hold'] = (ended) => {
    threads.push(ended);
    place.hold(ended);
  };
  try {
    return await run({ ...place, hold });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'Timeout') throw error;
    await Promise.allSettled(threads);
    return error;
  }
}

/** Returns false without a description, or when a later attempt may succeed. */
async function keepDescription(
  { provenance, matching: { index } }: DescribeJobDeps,
  { projectId, cid, kind }: DescribableContent,
  description: Description | undefined,
): Promise<boolean> {
  const descriptor = description && toDescriptor(KINDS[kind].method, description);
  if (description === undefined || descriptor === undefined) return false;
  const further = await toFurtherRows(provenance, projectId, { cid, description });
  await keepDescriptors({ db: provenance, index }, projectId, [{ cid, ...descriptor }, ...further]);
  return true;
}

/** The row of a part of the content has a name from `namePart` instead of the CID. */
async function toFurtherRows(
  db: Queryable,
  projectId: string,
  { cid, description }: { cid: string; description: Description },
): Promise<DescriptorRow[]> {
  if (description.kind !== 'described' || description.further === undefined) return [];
  const canonical = (await readExact(db, projectId, [cid]))?.cid ?? cid;
  return description.further.map(({ part, ...text }) => ({
    ...text,
    cid: part === undefined ? canonical : namePart(canonical, part),
  }));
}

/** Throws when the store lacks the bytes and a pinning service has a copy, so that the job runs again. */
async function assertKept(
  { blobs, copies }: DescribeJobDeps,
  { projectId, contentDigest, cid }: DescribableContent,
): Promise<void> {
  if ((await blobs.readSize({ projectId, contentDigest })) !== undefined) return;
  if (await copies.has(projectId, cid)) throw new Error('the store lost the bytes before the job ran');
}

/** Returns undefined when a later attempt may succeed. */
export function toDescriptor(method: Method, description: Description): DescriptorText | undefined {
  if (description.kind === 'described') return description.text;
  return description.isPassing === true ? undefined : toDescriptorText(nothingBy(method));
}
