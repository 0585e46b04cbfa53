import { buffer } from 'node:stream/consumers';
import { createFairLimit } from '../../platform/work/limit-concurrency.js';
import { setNewest } from '../../platform/work/set-newest.js';
import type { BlobRef, BlobStore, StoredBlob } from '../blob-store.js';
import { verifyContent } from '../verify-content.js';
import { type Bucket, openBucket, type S3Location, withOutageError } from './bucket.js';
import { listObjects, openObject, putIfAbsent, putObject, readObjectSize, removeObject } from './objects.js';
import { removeAbandonedUploads } from './remove-abandoned.js';
import { createVerifyRange } from './verify-range.js';
import { createS3Writer, MAX_PARTS } from './writer.js';

/** Smallest size of the parts of an upload. */
const PART_BYTES = 8 * 2 ** 20;
/** Maximum number of parts in memory, for all projects and for one project. Further parts wait in temporary files. */
const PARTS = { atOnce: 16, atOnceOfOne: 8 };
/** Maximum number of cached tags (ETags) of verified objects. */
const REMEMBERED_TAGS = 10_000;

export interface S3StoreOptions extends S3Location {
  /** Maximum size of a content. The store chooses the size of parts so that such a content fits. */
  maxContentBytes: number;
  /** Called when unfinished uploads of earlier runs cannot be removed. */
  reportFailure: (error: unknown) => void;
  /** Only tests set this size. */
  partBytes?: number;
}

/**
 * A read verifies the digest of the whole object. When the object was verified before, a read of a range reads only the
 * range, and does not verify it.
 */
export async function openS3Store(options: S3StoreOptions): Promise<BlobStore> {
  const bucket = await openBucket(options);
  const partBytes = options.partBytes ?? toPartBytes(options.maxContentBytes);
  const checkedTags = createTagMemory(REMEMBERED_TAGS);
  const verifyRange = createVerifyRange();
  const limitParts = createFairLimit(PARTS);
  const cleaning = removeAbandonedUploads(bucket).catch(options.reportFailure);
  return {
    durable: true,
    createWriter: async (projectId) =>
      createS3Writer({
        bucket,
        projectId,
        partBytes,
        limitParts,
        keyOf: (contentDigest) => keyOf({ projectId, contentDigest }),
      }),
    put: (ref, bytes) => putIfAbsent(bucket, keyOf(ref), Buffer.from(bytes)),
    readSize: (ref) => readObjectSize(bucket, keyOf(ref)),
    async readContent(ref, range) {
      const key = keyOf(ref);
      const etag = checkedTags.get(key);
      if (range !== undefined && etag !== undefined) {
        const part = await openObject(bucket, key, { range, etag });
        if (part !== undefined) return part.body;
      }
      const whole = await openObject(bucket, key);
      if (whole === undefined) return undefined;
      const verified =
        range === undefined
          ? verifyContent(whole.body, ref.contentDigest)
          : verifyRange({ ...ref, range, whole: whole.body });
      return rememberWhenWhole(verified, () => checkedTags.set(key, whole.etag));
    },
    listContents: () => listContents(bucket),
    remove: (ref) => removeObject(bucket, keyOf(ref)),
    async readDocument(name) {
      const object = await openObject(bucket, documentKey(name));
      return object && buffer(object.body);
    },
    writeDocument: (name, bytes) => putObject(bucket, documentKey(name), Buffer.from(bytes)),
    removeDocument: (name) => removeObject(bucket, documentKey(name)),
    release() {},
    check: () => checkBucket(bucket),
    async close() {
      await cleaning;
      bucket.client.destroy();
    },
  };
}

const documentKey = (name: string) => `documents/${name}`;

function toPartBytes(maxContentBytes: number): number {
  const needed = Math.ceil(maxContentBytes / MAX_PARTS / 2 ** 20) * 2 ** 20;
  return Math.max(PART_BYTES, needed);
}

function keyOf({ projectId, contentDigest }: BlobRef): string {
  const hex = contentDigest.slice('sha256:'.length);
  return `${projectId}/sha256/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex}`;
}

async function* listContents(bucket: Bucket): AsyncGenerator<StoredBlob> {
  for await (const { key, sizeBytes, modifiedAt } of listObjects(bucket, '')) {
    const [, projectId, hex] = /^([^/]+)\/sha256\/[0-9a-f]{2}\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(key) ?? [];
    if (projectId === undefined) continue;
    yield { projectId, contentDigest: `sha256:${hex}`, sizeBytes, storedAt: modifiedAt };
  }
}

async function checkBucket({ library, client, name }: Bucket): Promise<void> {
  await withOutageError(client.send(new library.HeadBucketCommand({ Bucket: name })));
}

async function* rememberWhenWhole(
  content: AsyncIterable<Uint8Array>,
  remember: () => void,
): AsyncGenerator<Uint8Array> {
  yield* content;
  remember();
}

function createTagMemory(capacity: number) {
  const tags = new Map<string, string>();
  return {
    get: (key: string) => tags.get(key),
    set(key: string, etag: string | undefined) {
      if (etag === undefined) return;
      setNewest(tags, key, etag, capacity);
    },
  };
}
