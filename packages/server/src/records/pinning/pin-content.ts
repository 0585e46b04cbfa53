import { parseContentId } from '@colophon/model';
import type { BlobStore } from '../../blobs/blob-store.js';
import type { Pinned, Pinner } from '../../blobs/pinning/pinner.js';
import type { Database } from '../../platform/db/database.js';

/** Dependencies of pinning. */
export interface PinningDeps {
  provenance: Database;
  blobs: BlobStore;
  /** The services that a project's content is pinned on now, by name. */
  providersOf(projectId: string): Promise<readonly string[]>;
  /** The service of this name, also where nothing more is pinned; undefined when it is no longer configured. */
  pinnerOf(projectId: string, provider: string): Promise<Pinner | undefined>;
}

/** The payload of a job that pins content. */
export interface PinPayload {
  provider: string;
  cid: string;
  /** Hex. */
  contentDigest: string;
  mimeType: string;
  /** Where the content was pinned before it was recorded: what the service calls it, and where it serves it. */
  pinned?: Pinned;
}

export const SLOWEST_BYTES_PER_MS = 128;

/** A service that takes longer than this keeps others waiting. */
function longestTransferMs(baseMs: number, sizeBytes: number): number {
  return baseMs + Math.ceil(sizeBytes / SLOWEST_BYTES_PER_MS);
}

/** Sends stored content to a service, and reads the CID that it gives. */
export async function sendPin(
  { blobs, pinnerOf }: Pick<PinningDeps, 'blobs' | 'pinnerOf'>,
  projectId: string,
  { payload, baseMs, signal }: { payload: PinPayload; baseMs: number; signal: AbortSignal | undefined },
): Promise<Pinned> {
  const { provider, cid, contentDigest, mimeType } = payload;
  const ref = { projectId, contentDigest: `sha256:${contentDigest}` };
  const pinner = await pinnerOf(projectId, provider);
  if (pinner === undefined) throw new Error(`the project's content is no longer pinned on ${provider}`);
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
  if (pinnedAs === undefined) throw new Error(`${provider} returned an invalid CID: ${pinned.cid}`);
  return { cid: pinnedAs, uri: pinned.uri };
}
