import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ContentDigests } from '@colophon/model';
import type { HashingOptions } from '../../blobs/hashing/stream-hasher.js';
import { SNIFFED_BYTES, sniffMediaType } from '../../media/sniff-media-type.js';
import { makeTemporaryDirectory } from '../../platform/files/temporary-directory.js';

/** Limit of received bytes that wait in memory for the disk. */
const BUFFERED_BYTES = 2 ** 20;

/** `maxKeptBytes`: maximum size of a file that is completely written to the disk. */
type MediaStagingOptions = HashingOptions & { maxKeptBytes?: number };

/** Stays on disk until it is discarded. */
export interface StagedMedia {
  path: string;
  /** Name on the sender's device. */
  fileName?: string | undefined;
  mediaType: string;
  digests: ContentDigests;
  /** Returns the path for a further file, which `discard` also deletes. */
  besides(name: string): string;
  discard(): Promise<void>;
}

/** Hashes the file while it is written. Of a file larger than `maxKeptBytes`, only the digests are complete. */
export async function stageMedia(
  { createHasher, projectId, expectedBytes, maxKeptBytes = Number.POSITIVE_INFINITY }: MediaStagingOptions,
  source: AsyncIterable<Uint8Array>,
): Promise<StagedMedia> {
  const directory = await makeTemporaryDirectory('media');
  const discard = () => rm(directory, { recursive: true, force: true });
  const file = path.join(directory, 'received');
  const hasher = createHasher(expectedBytes, projectId);
  const head: Uint8Array[] = [];
  let sizeBytes = 0;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      await hasher.update(chunk);
      if (sizeBytes < SNIFFED_BYTES) head.push(Buffer.from(chunk.subarray(0, SNIFFED_BYTES - sizeBytes)));
      sizeBytes += chunk.length;
      if (sizeBytes <= maxKeptBytes) yield chunk;
    }
  }
  try {
    await pipeline(
      watched(),
      createWriteStream(file, { flags: 'wx', mode: 0o600, highWaterMark: BUFFERED_BYTES }),
    );
    const mediaType = await sniffMediaType(Buffer.concat(head));
    const besides = (name: string) => path.join(directory, name);
    return { path: file, mediaType, digests: await hasher.finish(), besides, discard };
  } catch (error) {
    hasher.discard();
    await discard();
    throw error;
  }
}
