import type { CompletedPart } from '@aws-sdk/client-s3';
import { type Bucket, ifPresent, withOutageError } from './bucket.js';

export interface PartUpload {
  /** Sends a part after the previous one has arrived. Rejects when the previous one failed. */
  send(body: Buffer): Promise<void>;
  complete(): Promise<void>;
  /** Aborts the upload; S3 then deletes its parts. Does nothing after `complete`. */
  abort(): Promise<void>;
}

/** Begins an upload in parts (Amazon S3 API, CreateMultipartUpload). */
export async function beginParts({ library, client, name }: Bucket, key: string): Promise<PartUpload> {
  const target = { Bucket: name, Key: key };
  const begun = await withOutageError(client.send(new library.CreateMultipartUploadCommand(target)));
  const upload = { ...target, UploadId: begun.UploadId };
  const done: CompletedPart[] = [];
  let underWay: Promise<void> = Promise.resolve();
  let failure: unknown;

  async function sendPart(body: Buffer, PartNumber: number): Promise<void> {
    const part = { ...upload, PartNumber, Body: body, ContentLength: body.length };
    const { ETag } = await withOutageError(client.send(new library.UploadPartCommand(part)));
    done.push({ ETag, PartNumber });
  }

  async function settle(): Promise<void> {
    await underWay;
    if (failure !== undefined) throw failure;
  }

  let begunParts = 0;
  return {
    async send(body) {
      await settle();
      begunParts += 1;
      underWay = sendPart(body, begunParts).catch((error: unknown) => {
        failure = error;
      });
    },
    async complete() {
      await settle();
      const MultipartUpload = { Parts: done };
      await withOutageError(
        client.send(new library.CompleteMultipartUploadCommand({ ...upload, MultipartUpload })),
      );
    },
    async abort() {
      await underWay;
      await ifPresent(client.send(new library.AbortMultipartUploadCommand(upload)));
    },
  };
}
