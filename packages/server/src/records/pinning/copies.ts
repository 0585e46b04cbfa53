import type { BlobRef } from '../../blobs/blob-store.js';
import type { CreateStreamHasher } from '../../blobs/hashing/stream-hasher.js';
import { ServiceError } from '../../errors.js';
import { uuidv7 } from '../../platform/uuid-v7.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { createSharedTasks } from '../../platform/work/shared-tasks.js';
import type { RecordItem } from '../draft/record-item.js';
import { readStoredContent } from '../read/records.sql.js';
import { type PinningDeps, type PinPayload, sendPin } from './pin-content.js';
import { readPinned } from './pins.sql.js';
import { restorePinned } from './restore-pinned.js';
import type { FetchPace } from './watch-progress.js';

export interface RecordedContent {
  ref: BlobRef;
  cid: string;
  sizeBytes: number;
}

/** `signal` aborts when the caller no longer waits for the recording. */
export interface PinnedUpload {
  upload: NonNullable<RecordItem['upload']>;
  signal: AbortSignal | undefined;
}

/** Copies of recorded bytes at pinning services. */
export interface Copies {
  has(projectId: string, cid: string): Promise<boolean>;
  /**
   * Fetches content from a pinning service, verifies its digest and stores it. Concurrent callers share one fetch,
   * which is cancelled when all of them have aborted. Rejects with `Unavailable` when no service returns the content.
   */
  restore(content: RecordedContent, signal?: AbortSignal): Promise<void>;
  /** Restores the content if the store lacks it and a pinning service has it. */
  ensureStored(ref: BlobRef, cid: string, signal?: AbortSignal): Promise<void>;
  /** Allows the store to evict the content if Pinata has it. */
  release(ref: BlobRef, cid: string): Promise<void>;
  /**
   * Returns jobs, which the caller writes with the recording. If the store is not durable and the project pins on
   * Pinata, first pins the content there. Rejects with `Unavailable` when Pinata does not accept it.
   */
  draftPins(projectId: string, pinned: PinnedUpload): Promise<Pick<RecordItem, 'jobs'>>;
}

type CopyDeps = PinningDeps & {
  createHasher: CreateStreamHasher;
  scheduler: Scheduler;
  fetchPace?: FetchPace;
};

/** Time limit for content of size zero. The limit grows with the size. */
const PIN_BASE_MS = 30_000;
const RETRY_SECONDS = 10;

export function createCopies(deps: CopyDeps): Copies {
  const { provenance, providersOf, scheduler } = deps;
  const shared = createSharedTasks();
  const release = async (ref: BlobRef, cid: string) => {
    if ('pinata' in (await readPinned(provenance, ref.projectId, cid))) deps.blobs.release(ref);
  };
  const restoreNow = async ({ ref, cid, sizeBytes }: RecordedContent, left: AbortSignal) => {
    const { projectId } = ref;
    const pinned = await readPinned(provenance, projectId, cid);
    const { isRestored, faults } = await scheduler.run({ projectId, kind: 'fetch', signal: left }, () =>
      restorePinned(deps, { ref, sizeBytes, pinned }, left),
    );
    left.throwIfAborted();
    if (!isRestored) throw cannotFetch(cid, faults);
    await release(ref, cid);
  };
  const has = async (projectId: string, cid: string) =>
    Object.keys(await readPinned(provenance, projectId, cid)).length > 0;
  const restore = (content: RecordedContent, signal?: AbortSignal) =>
    shared(`${content.ref.projectId} ${content.ref.contentDigest}`, signal, (left) =>
      restoreNow(content, left),
    );
  return {
    has,
    release,
    restore,
    async ensureStored(ref, cid, signal) {
      if ((await deps.blobs.readSize(ref)) !== undefined || !(await has(ref.projectId, cid))) return;
      const stored = await readStoredContent(provenance, ref.projectId, cid);
      if (stored !== undefined) await restore({ ...stored, ref }, signal);
    },
    async draftPins(projectId, { upload: { cid, contentDigest, mimeType }, signal }) {
      const providers = await providersOf(projectId);
      const base = { cid, contentDigest, mimeType };
      const payloads: PinPayload[] = [];
      for (const provider of providers) {
        const isFirst = provider === 'pinata' && !deps.blobs.durable;
        payloads.push({
          ...base,
          provider,
          ...(isFirst && (await pinFirst(deps, projectId, { payload: { ...base, provider }, signal }))),
        });
      }
      return { jobs: payloads.map((payload) => ({ id: uuidv7(), kind: 'pin', payload })) };
    },
  };
}

/** When pinning fails, nothing is recorded. */
async function pinFirst(
  deps: PinningDeps,
  projectId: string,
  { payload, signal }: { payload: PinPayload; signal: AbortSignal | undefined },
): Promise<Required<Pick<PinPayload, 'pinned'>>> {
  try {
    return { pinned: await sendPin(deps, projectId, { payload, baseMs: PIN_BASE_MS, signal }) };
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ServiceError('Unavailable', 'Pinata did not accept the bytes, so nothing was recorded.', {
      recovery:
        'Send the request again after Retry-After. The operator can set DATA_DIR or S3_BUCKET, so that recordings do not wait for Pinata.',
      headers: { 'retry-after': String(RETRY_SECONDS) },
      cause,
    });
  } finally {
    deps.blobs.release({ projectId, contentDigest: `sha256:${payload.contentDigest}` });
  }
}

function cannotFetch(cid: string, faults: readonly string[]): ServiceError {
  return new ServiceError('Unavailable', `The pinned copy of ${cid} cannot be fetched now.`, {
    recovery: 'Send the request again after Retry-After, or upload the same content again.',
    headers: { 'retry-after': String(RETRY_SECONDS) },
    cause: new Error(faults.join('; ') || 'no service has a copy with the recorded digest'),
  });
}
