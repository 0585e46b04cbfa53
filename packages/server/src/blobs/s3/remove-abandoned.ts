import type { ListMultipartUploadsCommandOutput } from '@aws-sdk/client-s3';
import { type Bucket, ifPresent, isAnswer, withOutageError } from './bucket.js';
import { listObjects, removeObject } from './objects.js';
import { DRAFTS } from './writer.js';

/** An upload that is still unfinished after this time belongs to a process that ended. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Removes the remains of ended processes from `DRAFTS`: unfinished uploads, and drafts never copied to their key. */
export async function removeAbandonedUploads(bucket: Bucket, now = new Date()): Promise<void> {
  const isAbandoned = (since: Date | undefined) =>
    since !== undefined && now.getTime() - since.getTime() > ABANDONED_AFTER_MS;
  for await (const upload of listUploads(bucket)) {
    if (isAbandoned(upload.begunAt)) await abort(bucket, upload);
  }
  for await (const { key, modifiedAt } of listObjects(bucket, DRAFTS)) {
    if (isAbandoned(modifiedAt)) await removeObject(bucket, key);
  }
}

interface OpenUpload {
  Key: string | undefined;
  UploadId: string | undefined;
  begunAt: Date | undefined;
}

/** Lists none if the service cannot list unfinished uploads. */
async function* listUploads({ library, client, name }: Bucket): AsyncGenerator<OpenUpload> {
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (marker !== undefined) {
    const page: ListMultipartUploadsCommandOutput | undefined = await unlessUnknown(
      client.send(new library.ListMultipartUploadsCommand({ Bucket: name, Prefix: DRAFTS, ...marker })),
    );
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? [])
      yield { Key, UploadId, begunAt: Initiated };
    marker = page?.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : undefined;
  }
}

async function abort({ library, client, name }: Bucket, { Key, UploadId }: OpenUpload): Promise<void> {
  await ifPresent(client.send(new library.AbortMultipartUploadCommand({ Bucket: name, Key, UploadId })));
}

async function unlessUnknown<T>(work: Promise<T>): Promise<T | undefined> {
  return withOutageError(
    work.catch((error: unknown) => {
      if (isAnswer(error, 501)) return undefined;
      throw error;
    }),
  );
}
