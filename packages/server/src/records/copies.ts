import type { BlobRef } from '../blobs/blob-store.js';
import type { CreateStreamHasher } from '../blobs/hashing/stream-hasher.js';
import { ServiceError } from '../errors.js';
import { uuidv7 } from '../uuid-v7.js';
import type { Scheduler } from '../work/scheduler.js';
import { longestTransferMs, type PinningNeeds, type PinPayload, sendPin } from './pin-content.js';
import { readPinned } from './pins.sql.js';
import type { RecordItem } from './record-item.js';
import { restorePinned } from './restore-pinned.js';
import { createSharedTasks } from './shared-tasks.js';

/** Recorded content, as its resource names it. */
export interface RecordedContent {
  ref: BlobRef;
  cid: string;
  sizeBytes: number;
}

/** The copies of recorded bytes at pinning services. */
export interface Copies {
  /** Whether a service has a copy of the project's content. */
  has(projectId: string, cid: string): Promise<boolean>;
  /**
   * Fetches content that the store lacks from a service, checks it against its digest and stores it. Callers that ask at
   * the same time share one fetch, which is cancelled when the last of them leaves. Rejects with `Unavailable` when no
   * service gives the content.
   */
  restore(content: RecordedContent, signal?: AbortSignal): Promise<void>;
  /** Lets the store forget content that Pinata has. */
  release(ref: BlobRef, cid: string): Promise<void>;
  /**
   * The jobs that pin stored content, to be written with its recording. A store that forgets has the content pinned on
   * Pinata first; rejects with `Unavailable` when Pinata does not take it.
   */
  draftPins(projectId: string, upload: NonNullable<RecordItem['upload']>): Promise<Pick<RecordItem, 'jobs'>>;
}

type CopyNeeds = PinningNeeds & { createHasher: CreateStreamHasher; scheduler: Scheduler };

/** Longest times before the size of the content is counted. */
const FETCH_BASE_MS = 30_000;
const PIN_BASE_MS = 30_000;
const RETRY_SECONDS = 10;

/** How long a service may take to give content, beside what its size asks for. */
export interface CopyPace {
  fetchBaseMs?: number;
}

/** The copies at the services that the configuration and the projects name. */
export function createCopies(needs: CopyNeeds, { fetchBaseMs = FETCH_BASE_MS }: CopyPace = {}): Copies {
  const { provenance, providersOf, scheduler } = needs;
  const shared = createSharedTasks();
  const release = async (ref: BlobRef, cid: string) => {
    if ('pinata' in (await readPinned(provenance, ref.projectId, cid))) needs.blobs.release(ref);
  };
  const restoreNow = async ({ ref, cid, sizeBytes }: RecordedContent, left: AbortSignal) => {
    const { projectId } = ref;
    const pinned = await readPinned(provenance, projectId, cid);
    const deadline = AbortSignal.timeout(longestTransferMs(fetchBaseMs, sizeBytes));
    const signal = AbortSignal.any([left, deadline]);
    const { isRestored, faults } = await scheduler.run({ projectId, kind: 'fetch', signal: left }, () =>
      restorePinned(needs, { ref, sizeBytes, pinned }, signal),
    );
    left.throwIfAborted();
    if (!isRestored) throw cannotFetch(cid, faults);
    await release(ref, cid);
  };
  return {
    has: async (projectId, cid) => Object.keys(await readPinned(provenance, projectId, cid)).length > 0,
    release,
    restore: (content, signal) =>
      shared(`${content.ref.projectId} ${content.ref.contentDigest}`, signal, (left) =>
        restoreNow(content, left),
      ),
    async draftPins(projectId, { cid, contentDigest, mimeType }) {
      const providers = await providersOf(projectId);
      const base = { cid, contentDigest, mimeType };
      const payloads: PinPayload[] = [];
      for (const provider of providers) {
        const isFirst = provider === 'pinata' && !needs.blobs.durable;
        payloads.push({
          ...base,
          provider,
          ...(isFirst && (await pinFirst(needs, projectId, { ...base, provider }))),
        });
      }
      return { jobs: payloads.map((payload) => ({ id: uuidv7(), kind: 'pin', payload })) };
    },
  };
}

/** Pins content before it is recorded; from then on the store may forget it, whether or not that succeeded. */
async function pinFirst(
  needs: PinningNeeds,
  projectId: string,
  payload: PinPayload,
): Promise<Required<Pick<PinPayload, 'pinned'>>> {
  try {
    return { pinned: await sendPin(needs, projectId, { payload, baseMs: PIN_BASE_MS }) };
  } catch (cause) {
    throw new ServiceError('Unavailable', 'Pinata did not take the bytes, so nothing was recorded.', {
      recovery:
        'Send the request again after Retry-After. The operator can set DATA_DIR or S3_BUCKET, so that recordings do not wait for Pinata.',
      headers: { 'retry-after': String(RETRY_SECONDS) },
      cause,
    });
  } finally {
    needs.blobs.release({ projectId, contentDigest: `sha256:${payload.contentDigest}` });
  }
}

function cannotFetch(cid: string, faults: readonly string[]): ServiceError {
  return new ServiceError('Unavailable', `The pinned copy of ${cid} cannot be fetched now.`, {
    recovery: 'Send the request again after Retry-After, or upload the same content again.',
    headers: { 'retry-after': String(RETRY_SECONDS) },
    cause: new Error(faults.join('; ') || 'no service has a copy with the recorded digest'),
  });
}
