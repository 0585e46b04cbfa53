import type { ByteRange } from '../blob-store.js';
import { type Bucket, ifPresent, isAnswer, toOutage, withOutageError } from './bucket.js';

/** Returns undefined when there is no such object. */
export async function readObjectSize(bucket: Bucket, key: string): Promise<number | undefined> {
  return (await readObjectFacts(bucket, key))?.sizeBytes;
}

/** The tag changes when the object is written again. */
export interface ObjectFacts {
  sizeBytes: number;
  etag: string | undefined;
}

async function readObjectFacts(
  { library, client, name }: Bucket,
  key: string,
): Promise<ObjectFacts | undefined> {
  const head = await ifPresent(client.send(new library.HeadObjectCommand({ Bucket: name, Key: key })));
  return head && { sizeBytes: head.ContentLength ?? 0, etag: head.ETag };
}

export interface OpenObject {
  etag: string | undefined;
  body: AsyncIterable<Uint8Array>;
}

/** Returns undefined if no object has this key or, for a range, if the object has another tag. */
export async function openObject(
  { library, client, name }: Bucket,
  key: string,
  part?: { range: ByteRange; etag: string },
): Promise<OpenObject | undefined> {
  const asked = {
    Bucket: name,
    Key: key,
    ...(part && { Range: `bytes=${part.range.start}-${part.range.end}`, IfMatch: part.etag }),
  };
  const object = await ifPresent(unlessChanged(client.send(new library.GetObjectCommand(asked))));
  return object?.Body && { etag: object.ETag, body: toOutages(object.Body as AsyncIterable<Uint8Array>) };
}

/** The status 412 means that the tag of the object has changed. */
async function unlessChanged<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAnswer(error, 412)) return undefined;
    throw error;
  }
}

async function* toOutages(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toOutage(error);
  }
}

const CONFLICT_TRIES = 3;

/** Puts an object unless its key exists. If the service has no conditional writes, compares only sizes. */
export async function putIfAbsent(bucket: Bucket, key: string, body: Buffer): Promise<void> {
  const { library, client, name } = bucket;
  const object = { Bucket: name, Key: key, Body: body, ContentLength: body.length };
  const put = async (condition: { IfNoneMatch?: '*' }) => {
    const { ETag } = await client.send(new library.PutObjectCommand({ ...object, ...condition }));
    // Swift returns no tag when another put of the same bytes was faster. An error page of a proxy has no tag either.
    if (ETag === undefined && (await readObjectSize(bucket, key)) !== body.length)
      throw new Error('S3 confirmed a put without an ETag, but the object does not exist');
  };
  const send = (tries: number): Promise<void> =>
    put({ IfNoneMatch: '*' }).catch((error: unknown) => {
      // 409: another upload of the same bytes is in progress.
      if (isAnswer(error, 409) && tries < CONFLICT_TRIES) return send(tries + 1);
      if (isAnswer(error, 412)) return undefined;
      if (isAnswer(error, 501)) return putUnlessThere();
      throw toOutage(error);
    });
  async function putUnlessThere(): Promise<void> {
    if ((await readObjectSize(bucket, key)) === body.length) return;
    await withOutageError(put({}));
  }
  await send(1);
}

/** Replaces an earlier object with this key. */
export async function putObject({ library, client, name }: Bucket, key: string, body: Buffer): Promise<void> {
  const object = { Bucket: name, Key: key, Body: body, ContentLength: body.length };
  const { ETag } = await withOutageError(client.send(new library.PutObjectCommand(object)));
  // A response without an ETag is an error page of a proxy: the object was not stored.
  if (ETag === undefined) throw new Error('S3 confirmed a put without an ETag');
}

/** Size of each part of a copy. S3 rejects copy requests of more than 5 GiB. */
const COPY_BYTES = 2 ** 30;

export async function copyObject(
  bucket: Bucket,
  { from, to, sizeBytes }: { from: string; to: string; sizeBytes: number },
): Promise<void> {
  const { library, client, name } = bucket;
  const copy = { Bucket: name, Key: to, CopySource: `${name}/${from}` };
  if (sizeBytes <= COPY_BYTES) await withOutageError(client.send(new library.CopyObjectCommand(copy)));
  else await copyInParts(bucket, copy, sizeBytes);
}

async function copyInParts(
  { library, client }: Bucket,
  copy: { Bucket: string; Key: string; CopySource: string },
  sizeBytes: number,
): Promise<void> {
  const { CopySource, ...target } = copy;
  const { UploadId } = await withOutageError(client.send(new library.CreateMultipartUploadCommand(target)));
  const upload = { ...target, UploadId };
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (let start = 0; start < sizeBytes; start += COPY_BYTES) {
      const CopySourceRange = `bytes=${start}-${Math.min(start + COPY_BYTES, sizeBytes) - 1}`;
      const PartNumber = Parts.length + 1;
      const piece = { ...upload, PartNumber, CopySource, CopySourceRange };
      const { CopyPartResult } = await withOutageError(client.send(new library.UploadPartCopyCommand(piece)));
      Parts.push({ ETag: CopyPartResult?.ETag, PartNumber });
    }
    await withOutageError(
      client.send(new library.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })),
    );
  } catch (error) {
    const abort = client.send(new library.AbortMultipartUploadCommand(upload));
    // The caller needs the first error. If the abort fails too, only a lifecycle rule of the bucket removes the parts.
    await ifPresent(abort).catch(() => undefined);
    throw error;
  }
}

export async function removeObject({ library, client, name }: Bucket, key: string): Promise<void> {
  await ifPresent(client.send(new library.DeleteObjectCommand({ Bucket: name, Key: key })));
}

export interface ListedObject {
  key: string;
  sizeBytes: number;
  modifiedAt: Date;
}

export async function* listObjects(
  { library, client, name }: Bucket,
  prefix: string,
): AsyncGenerator<ListedObject> {
  let token: string | undefined;
  do {
    const page = await withOutageError(
      client.send(
        new library.ListObjectsV2Command({ Bucket: name, Prefix: prefix, ContinuationToken: token }),
      ),
    );
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      yield { key: Key ?? '', sizeBytes: Size ?? 0, modifiedAt: LastModified ?? new Date() };
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}
