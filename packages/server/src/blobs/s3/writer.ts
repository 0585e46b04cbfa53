import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../errors.js';
import type { FairLimit } from '../../platform/work/limit-concurrency.js';
import type { BlobWriter } from '../blob-store.js';
import type { Bucket } from './bucket.js';
import { copyObject, putIfAbsent, readObjectSize, removeObject } from './objects.js';
import { createPartBuffer } from './part-buffer.js';
import { beginParts, type PartUpload } from './part-upload.js';

/** At its start, the service removes unfinished uploads that are older than a day. */
export const DRAFTS = 'drafts/';

/** The maximum number of parts of an upload in S3. */
export const MAX_PARTS = 10_000;

export interface WriterOptions {
  bucket: Bucket;
  projectId: string;
  /** Content up to this size is sent in one request, and larger content in parts of this size. */
  partBytes: number;
  /** Limits the number of parts in memory, for all uploads together and for each project. */
  limitParts: FairLimit;
  keyOf: (contentDigest: string) => string;
}

/**
 * Sends content of more than one part to a draft, and then copies the draft to the key of the digest. A whole part is
 * in memory only while the writer sends it.
 */
export function createS3Writer(options: WriterOptions): BlobWriter {
  const { bucket, projectId, partBytes, limitParts, keyOf } = options;
  const draftKey = `${DRAFTS}${projectId}/${randomUUID()}`;
  const buffer = createPartBuffer(partBytes);
  let parts: PartUpload | undefined;
  let sizeBytes = 0;
  let isDone = false;

  async function sendPart(): Promise<void> {
    parts ??= await beginParts(bucket, draftKey, (send) => limitParts(projectId, send));
    await parts.send(buffer.take);
  }

  async function finishDraft(target: string): Promise<void> {
    if (buffer.sizeBytes() > 0) await sendPart();
    if ((await readObjectSize(bucket, target)) === sizeBytes) return parts?.abort();
    await parts?.complete();
    try {
      await copyObject(bucket, { from: draftKey, to: target, sizeBytes });
    } finally {
      await removeObject(bucket, draftKey);
    }
  }

  return {
    async write(chunk) {
      for (let rest = chunk; rest.length > 0; ) {
        // Sends a full part only when more bytes arrive, because content of exactly one part needs no draft.
        if (buffer.sizeBytes() === partBytes) await sendPart();
        rest = await buffer.append(rest);
      }
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_PARTS * partBytes) throw tooLarge(MAX_PARTS * partBytes);
    },
    async commit(contentDigest) {
      const target = keyOf(contentDigest);
      if (parts === undefined)
        await limitParts(projectId, async () => putIfAbsent(bucket, target, await buffer.take()));
      else await finishDraft(target);
      isDone = true;
      await buffer.close();
    },
    async discard() {
      if (isDone) return;
      isDone = true;
      try {
        await parts?.abort();
      } finally {
        await buffer.close();
      }
    },
  };
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('PayloadTooLarge', `The store accepts content of at most ${maxBytes} bytes.`);
}
