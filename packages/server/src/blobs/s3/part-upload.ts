import type { CompletedPart } from '@aws-sdk/client-s3';
import { type Bucket, ifPresent, withOutageError } from './bucket.js';

export interface PartUpload {
  /** Rejects if the previous upload failed. Resolves when `take` has returned the bytes, before their upload ends. */
  send(take: () => Promise<Buffer>): Promise<void>;
  complete(): Promise<void>;
  /** S3 then deletes the parts. Does nothing after `complete`. */
  abort(): Promise<void>;
}

/** Amazon S3 API, CreateMultipartUpload. `inTurn` must call its argument when a new part may be in memory. */
export async function beginParts(
  { library, client, name }: Bucket,
  key: string,
  inTurn: (send: () => Promise<void>) => Promise<void>,
): Promise<PartUpload> {
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
    async send(take) {
      await settle();
      begunParts += 1;
      const number = begunParts;
      await new Promise<void>((resolve, reject) => {
        const send = async () => {
          const body = await take();
          resolve();
          await sendPart(body, number);
        };
        underWay = inTurn(send).catch((error: unknown) => {
          failure = error;
          reject(error);
        });
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
