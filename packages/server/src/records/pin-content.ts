import { parseContentId } from '@colophon/model';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Pinned, Pinner } from '../blobs/pinning/pinner.js';
import type { Database } from '../db/database.js';
import type { JobHandler } from '../jobs/run-jobs.js';
import { notePinned } from './pins.sql.js';

/** What pinning works with. */
export interface PinningNeeds {
  provenance: Database;
  blobs: BlobStore;
  /** The services that a project's content is pinned on now, by name. */
  providersOf(projectId: string): Promise<readonly string[]>;
  /** The service of this name, also where nothing more is pinned; undefined when it is no longer configured. */
  pinnerOf(projectId: string, provider: string): Promise<Pinner | undefined>;
}

/** What a job that pins content is given. */
export interface PinPayload {
  provider: string;
  cid: string;
  /** Hex. */
  contentDigest: string;
  mimeType: string;
  /** Where the content was pinned before it was recorded: what the service calls it, and where it serves it. */
  pinned?: Pinned;
}

const JOB_BASE_MS = 5 * 60_000;
const SLOWEST_BYTES_PER_MS = 128;

/** A service that takes longer than this keeps others waiting. */
export function longestTransferMs(baseMs: number, sizeBytes: number): number {
  return baseMs + Math.ceil(sizeBytes / SLOWEST_BYTES_PER_MS);
}

/** Sends stored content to a service, and reads the CID that it gives. */
export async function sendPin(
  { blobs, pinnerOf }: Pick<PinningNeeds, 'blobs' | 'pinnerOf'>,
  projectId: string,
  { payload, baseMs, signal }: { payload: PinPayload; baseMs: number; signal?: AbortSignal },
): Promise<Pinned> {
  const { provider, cid, contentDigest, mimeType } = payload;
  const ref = { projectId, contentDigest: `sha256:${contentDigest}` };
  const pinner = await pinnerOf(projectId, provider);
  if (pinner === undefined) throw new Error(`the project's content is not pinned on ${provider} any more`);
  const sizeBytes = await blobs.readSize(ref);
  if (sizeBytes === undefined) throw new Error('the bytes are missing from the store');
  const deadline = AbortSignal.timeout(longestTransferMs(baseMs, sizeBytes));
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
    signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  );
  const pinnedAs = parseContentId(pinned.cid);
  if (pinnedAs === undefined) throw new Error(`${provider} gave a name that is no CID: ${pinned.cid}`);
  return { cid: pinnedAs, uri: pinned.uri };
}

/** Pins one content on one service, unless that was done before the recording, and notes where it is. */
export function createPinJob(needs: PinningNeeds): JobHandler {
  const { provenance, blobs, providersOf } = needs;
  return async ({ projectId, payload: given }, signal) => {
    const payload = given as PinPayload;
    const { provider, cid, contentDigest } = payload;
    const send = async () => {
      if (!(await providersOf(projectId)).includes(provider))
        throw new Error(`the project's content is not pinned on ${provider} any more`);
      return sendPin(needs, projectId, { payload, baseMs: JOB_BASE_MS, signal });
    };
    const pinned = payload.pinned ?? (await send());
    await notePinned(provenance, projectId, { cid, provider, pinnedAs: pinned.cid, uri: pinned.uri });
    if (provider === 'pinata') blobs.release({ projectId, contentDigest: `sha256:${contentDigest}` });
  };
}
