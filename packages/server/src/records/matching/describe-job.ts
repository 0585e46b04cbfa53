import type { BlobStore } from '../../blobs/blob-store.js';
import { ServiceError } from '../../errors.js';
import type { Database } from '../../platform/db/database.js';
import type { JobHandler } from '../../platform/jobs/run-jobs.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { KINDS, type Kind, kindOf, type Method, nothingBy } from '../../search/descriptor.js';
import { type DescriptorText, toDescriptorText } from '../../search/descriptor-text.js';
import { hasDescriptor } from '../../search/descriptors.sql.js';
import { hasIscc, writeIscc } from '../../search/iscc/stored-iscc.sql.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { CodedContent, Description } from '../../search/worker/protocol.js';
import type { Copies } from '../pinning/copies.js';
import type { MatchingDeps } from './deps.js';
import {
  codableAs,
  codeStored,
  describableAs,
  describeStored,
  type StoredBytes,
  toUndescribed,
  turnToCode,
  turnToDescribe,
} from './describe-content.js';
import { keepDescriptor } from './keep-descriptor.js';

interface DescribeJobDeps {
  provenance: Database;
  blobs: BlobStore;
  copies: Pick<Copies, 'ensureStored' | 'has'>;
  matching: Pick<MatchingDeps, 'pool' | 'kinds' | 'index' | 'maxPictureBytes' | 'storesIscc'>;
  scheduler: Scheduler;
}

interface Payload {
  cid: string;
  contentDigest: string;
  mimeType: string;
  sizeBytes: number;
}

/** The parts that the content lacks. */
interface Missing {
  descriptor: boolean;
  iscc: boolean;
}

/**
 * Creates the job handler that stores the descriptor and the ISCC that content lacks. A repeated run changes nothing.
 */
export function createDescribeHandler(deps: DescribeJobDeps): JobHandler {
  const { provenance, blobs, copies, matching, scheduler } = deps;
  return async ({ projectId, payload }, signal) => {
    const { cid, ...content } = payload as Payload;
    const kind = kindOf(content.mimeType);
    if (kind === undefined) return;
    const stored: StoredBytes = { projectId, ...content };
    const missing = await findMissing(deps, { ...stored, cid, kind });
    if (!missing.descriptor && !missing.iscc) return;
    await copies.ensureStored({ projectId, contentDigest: stored.contentDigest }, cid, signal);
    const undescribed = toUndescribed(blobs, kind, stored);
    const turn = await (missing.iscc ? turnToCode : turnToDescribe)(matching, undescribed);
    const found = await scheduler
      .run({ ...turn, projectId, signal, isBackground: true }, (signal, hold) =>
        computeMissing(deps, { ...stored, kind }, { missing, place: { signal, hold } }),
      )
      .catch(skipOnTimeout);
    if (found.units !== undefined) await writeIscc(provenance, projectId, { cid, units: found.units });
    const { method } = KINDS[kind];
    const { description } = found;
    const descriptor = missing.descriptor && description ? toDescriptor(method, description) : undefined;
    if (descriptor !== undefined)
      await keepDescriptor({ db: provenance, index: matching.index }, projectId, { cid, ...descriptor });
    else if (found.units === undefined) await assertKept(deps, stored, cid);
  };
}

async function findMissing(
  { provenance, matching }: DescribeJobDeps,
  { cid, kind, ...stored }: StoredBytes & { cid: string; kind: Kind },
): Promise<Missing> {
  const { projectId } = stored;
  const { method } = KINDS[kind];
  return {
    descriptor: !(await hasDescriptor(provenance, projectId, { method, cid })),
    iscc: codableAs(matching, stored) !== undefined && !(await hasIscc(provenance, projectId, cid)),
  };
}

/** Computes both parts from one reading of the bytes where content lacks both. */
async function computeMissing(
  deps: DescribeJobDeps,
  stored: StoredBytes & { kind: Kind },
  { missing, place }: { missing: Missing; place: SearchContext },
): Promise<Pick<CodedContent, 'description' | 'units'>> {
  const isDescribable = describableAs(deps.matching, stored) !== undefined;
  const separate = missing.descriptor && !(missing.iscc && isDescribable);
  const description = separate ? await describeStored(deps, stored, place) : undefined;
  if (!missing.iscc) return description === undefined ? {} : { description };
  const iscc = missing.descriptor && isDescribable ? 'also' : 'only';
  const coded = await codeStored(deps, { ...stored, iscc }, place);
  return { ...coded, ...(description && { description }) };
}

/** Throws when the store lacks the bytes and a pinning service has a copy, so that the job runs again. */
async function assertKept(
  { blobs, copies }: DescribeJobDeps,
  { projectId, contentDigest }: StoredBytes,
  cid: string,
): Promise<void> {
  if ((await blobs.readSize({ projectId, contentDigest })) !== undefined) return;
  if (await copies.has(projectId, cid)) throw new Error('the store lost the bytes before the job ran');
}

/** Returns the descriptor to store; undefined when a later attempt may succeed. */
export function toDescriptor(method: Method, description: Description): DescriptorText | undefined {
  if (description.kind === 'described') return description.text;
  return description.isPassing === true ? undefined : toDescriptorText(nothingBy(method));
}

/** Treats a timeout as final, since the next attempt would take as long. */
function skipOnTimeout(error: unknown): Pick<CodedContent, 'description' | 'units'> {
  if (error instanceof ServiceError && error.code === 'Timeout')
    return { description: { kind: 'nothing', reason: error.message } };
  throw error;
}
