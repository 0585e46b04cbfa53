import { parseContentId } from '@colophon/model';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Pinner } from '../blobs/pinning/pinner.js';
import type { Database } from '../db/database.js';
import type { JobHandler } from '../jobs/run-jobs.js';
import { uuidv7 } from '../uuid-v7.js';
import { notePinned } from './pins.sql.js';
import type { RecordItem } from './record-item.js';

/** What pinning works with. */
export interface PinningNeeds {
  provenance: Database;
  blobs: BlobStore;
  /** The services that a project's content is pinned on now, by name. */
  providersOf(projectId: string): Promise<readonly string[]>;
  /** The service of this name, also where nothing more is pinned; undefined when it is no longer configured. */
  pinnerOf(projectId: string, provider: string): Promise<Pinner | undefined>;
}

interface PinPayload {
  provider: string;
  cid: string;
  contentDigest: string;
  mimeType: string;
}

/** The jobs that pin recorded content: written with the recording, done when the service can be reached. */
export function draftPins(
  providers: readonly string[],
  { cid, contentDigest, mimeType }: NonNullable<RecordItem['upload']>,
): Pick<RecordItem, 'jobs'> {
  if (providers.length === 0) return {};
  const toPayload = (provider: string): PinPayload => ({ provider, cid, contentDigest, mimeType });
  return { jobs: providers.map((one) => ({ id: uuidv7(), kind: 'pin', payload: toPayload(one) })) };
}

const PIN_BASE_MS = 5 * 60_000;
const SLOWEST_BYTES_PER_MS = 128;

/** A service that takes longer than this keeps others waiting. */
function longestPinMs(sizeBytes: number): number {
  return PIN_BASE_MS + Math.ceil(sizeBytes / SLOWEST_BYTES_PER_MS);
}

/** Pins one content on one service. */
export function createPinJob({ provenance, blobs, providersOf, pinnerOf }: PinningNeeds): JobHandler {
  return async ({ projectId, payload }, signal) => {
    const { provider, cid, contentDigest, mimeType } = payload as PinPayload;
    const ref = { projectId, contentDigest: `sha256:${contentDigest}` };
    const isWanted = (await providersOf(projectId)).includes(provider);
    const pinner = isWanted ? await pinnerOf(projectId, provider) : undefined;
    if (pinner === undefined) throw new Error(`the project's content is not pinned on ${provider} any more`);
    const sizeBytes = await blobs.readSize(ref);
    if (sizeBytes === undefined) throw new Error('the bytes are missing from the store');
    const pinned = await pinner.pin(
      {
        cid,
        sizeBytes,
        mimeType,
        async open(range) {
          const bytes = await blobs.readContent(ref, range);
          if (bytes === undefined) throw new Error('the bytes are missing from the store');
          return bytes;
        },
      },
      AbortSignal.any([signal, AbortSignal.timeout(longestPinMs(sizeBytes))]),
    );
    const pinnedAs = parseContentId(pinned.cid);
    if (pinnedAs === undefined) throw new Error(`${provider} gave a name that is no CID: ${pinned.cid}`);
    await notePinned(provenance, projectId, { cid, provider, pinnedAs, uri: pinned.uri });
  };
}
