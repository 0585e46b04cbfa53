import type { BlobRef, BlobStore } from '../../blobs/blob-store.js';
import type { Database } from '../../platform/db/database.js';
import type { JobHandler } from '../../platform/jobs/run-jobs.js';
import { nothingBy } from '../../search/descriptor.js';
import { hasDescriptor, toDescriptorRow } from '../../search/descriptors.sql.js';
import type { TextEmbedder } from '../../search/embed-text.js';
import type { MemoryIndex } from '../../search/memory-index.js';
import { decodeText } from '../../search/text/words.js';
import type { Copies } from '../pinning/copies.js';
import { keepDescriptor } from './keep-descriptor.js';

export const EMBED_JOB = 'embed';

const MAX_BYTES = 64 * 1024;

interface EmbedJobDeps {
  provenance: Database;
  blobs: BlobStore;
  copies: Pick<Copies, 'ensureStored'>;
  embedder: TextEmbedder;
  index: Pick<MemoryIndex, 'addRecorded' | 'noteChange'>;
}

/** Embeds the first `MAX_BYTES` of a recorded text. When the provider fails, the job runs again later. */
export function createEmbedHandler({ provenance, blobs, copies, embedder, index }: EmbedJobDeps): JobHandler {
  const { method } = embedder;
  return async ({ projectId, payload }, signal) => {
    const { cid, contentDigest } = payload as { cid: string; contentDigest: string };
    if (await hasDescriptor(provenance, projectId, { method, cid })) return;
    const ref = { projectId, contentDigest };
    await copies.ensureStored(ref, cid, signal);
    const text = await readText(blobs, ref);
    if (text === undefined) return;
    const descriptor =
      text === ''
        ? nothingBy(method)
        : { method, vector: await embedder.embed(text), evidence: new Uint8Array() };
    await keepDescriptor({ db: provenance, index }, projectId, toDescriptorRow(cid, descriptor));
  };
}

/** Returns undefined when the store no longer has the text. */
async function readText(blobs: BlobStore, ref: BlobRef): Promise<string | undefined> {
  const sizeBytes = await blobs.readSize(ref);
  if (sizeBytes === undefined) return undefined;
  if (sizeBytes === 0) return '';
  const stream = await blobs.readContent(ref, { start: 0, end: Math.min(sizeBytes, MAX_BYTES) - 1 });
  if (stream === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return decodeText(Buffer.concat(chunks)).trim();
}
