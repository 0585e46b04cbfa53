import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../errors.js';
import type { BlobWriter } from '../blob-store.js';
import type { Bucket } from './bucket.js';
import { copyObject, putIfAbsent, readObjectSize, removeObject } from './objects.js';
import { beginParts, type PartUpload } from './part-upload.js';

/** Prefix of unfinished uploads. At its start, the service removes uploads that are older than a day. */
export const DRAFTS = 'drafts/';

/** The maximum number of parts of an upload in S3. */
export const MAX_PARTS = 10_000;

export interface WriterOptions {
  bucket: Bucket;
  projectId: string;
  /** Content up to this size is sent in one request, and larger content in parts of this size. */
  partBytes: number;
  keyOf: (contentDigest: string) => string;
}

/**
 * Holds content of up to one part in memory and stores it under its digest. Sends larger content in parts to a draft,
 * and fills the next part while it sends one. Then copies the draft to the key of the digest.
 */
export function createS3Writer({ bucket, projectId, partBytes, keyOf }: WriterOptions): BlobWriter {
  const draftKey = `${DRAFTS}${projectId}/${randomUUID()}`;
  const block = createBlock(partBytes);
  let parts: PartUpload | undefined;
  let sizeBytes = 0;
  let isDone = false;

  async function sendBlock(): Promise<void> {
    parts ??= await beginParts(bucket, draftKey);
    await parts.send(block.take());
  }

  async function finishDraft(target: string): Promise<void> {
    if (block.sizeBytes() > 0) await sendBlock();
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
        // Sends a full block only when more bytes arrive, because content of exactly one part needs no draft.
        if (block.sizeBytes() === partBytes) await sendBlock();
        rest = block.append(rest);
      }
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_PARTS * partBytes) throw tooLarge(MAX_PARTS * partBytes);
    },
    async commit(contentDigest) {
      const target = keyOf(contentDigest);
      if (parts === undefined) await putIfAbsent(bucket, target, block.take());
      else await finishDraft(target);
      isDone = true;
    },
    async discard() {
      if (isDone) return;
      isDone = true;
      await parts?.abort();
    },
  };
}

const SMALLEST_BLOCK_BYTES = 65_536;

/**
 * Creates a buffer for up to `capacity` bytes. It starts small and doubles when it is full, so that small content needs
 * little memory.
 */
function createBlock(capacity: number) {
  let bytes = Buffer.alloc(0);
  let fill = 0;
  return {
    sizeBytes: () => fill,
    /** Adds as many bytes as fit, and returns the rest. */
    append(chunk: Uint8Array): Uint8Array {
      const part = chunk.subarray(0, capacity - fill);
      if (fill + part.length > bytes.length) grow(fill + part.length);
      bytes.set(part, fill);
      fill += part.length;
      return chunk.subarray(part.length);
    },
    /** Returns the bytes, which then belong to the caller. */
    take(): Buffer {
      const taken = bytes.subarray(0, fill);
      bytes = Buffer.alloc(0);
      fill = 0;
      return taken;
    },
  };

  function grow(needed: number): void {
    const size = Math.min(Math.max(needed, bytes.length * 2, SMALLEST_BLOCK_BYTES), capacity);
    const larger = Buffer.allocUnsafe(size);
    larger.set(bytes.subarray(0, fill));
    bytes = larger;
  }
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('PayloadTooLarge', `The store accepts content of at most ${maxBytes} bytes.`);
}
