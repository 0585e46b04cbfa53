import type { ByteRange } from '../blobs/blob-store.js';
import { ServiceError } from '../errors.js';
import type { RecordNeeds } from './needs.js';
import { readStoredContent } from './records.sql.js';

/** Bytes of recorded content, ready to be read in whole or in part. */
export interface Content {
  cid: string;
  contentDigest: string;
  mimeType: string;
  sizeBytes: number;
  open(range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

/** The bytes of a CID; `NotFound` when the project has none, `Unavailable` when the store lost them. */
export async function requireContent(
  { provenance, blobs }: RecordNeeds,
  projectId: string,
  cid: string,
): Promise<Content> {
  const stored = await readStoredContent(provenance, projectId, cid);
  if (stored === undefined)
    throw new ServiceError('NotFound', `No bytes of ${cid} are stored in this project.`);
  const ref = { projectId, contentDigest: stored.contentDigest };
  const sizeBytes = await blobs.readSize(ref);
  if (sizeBytes === undefined) throw lost(stored.cid);
  return {
    ...stored,
    sizeBytes,
    async open(range) {
      const stream = await blobs.readContent(ref, range);
      if (stream === undefined) throw lost(stored.cid);
      return stream;
    },
  };
}

function lost(cid: string): ServiceError {
  return new ServiceError('Unavailable', `The bytes of ${cid} are missing from the store.`, {
    recovery: 'Upload the same content again: its bytes are restored under the same CID.',
  });
}
