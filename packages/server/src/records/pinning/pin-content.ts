import { parseContentId } from '@colophon/model';
import type { BlobStore } from '../../blobs/blob-store.js';
import type { Pinned, Pinner } from '../../blobs/pinning/pinner.js';
import type { Database } from '../../platform/db/database.js';

export interface PinningDeps {
  provenance: Database;
  blobs: BlobStore;
  providersOf(projectId: string): Promise<readonly string[]>;
  /** Returns the service even if new content is not pinned on it. */
  pinnerOf(projectId: string, provider: string): Promise<Pinner | undefined>;
}

export interface PinPayload {
  provider: string;
  cid: string;
  /** SHA-256, hex. */
  contentDigest: string;
  mimeType: string;
  /** Set if the content was pinned before its recording. */
  pinned?: Pinned;
}

export const SLOWEST_BYTES_PER_MS = 128;

/** Returns the time limit of a transfer in ms. The limit keeps a slow service from delaying other transfers. */
function longestTransferMs(baseMs: number, sizeBytes: number): number {
  return baseMs + Math.ceil(sizeBytes / SLOWEST_BYTES_PER_MS);
}

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
