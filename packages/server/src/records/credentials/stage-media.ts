import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ContentDigests, createContentHasher } from '@colophon/model';
import { SNIFFED_BYTES, sniffMediaType } from '../../media/sniff-media-type.js';

/** What may wait for the disk while more is received: chunks that wait together are written together. */
const BUFFERED_BYTES = 2 ** 20;

/** A media file that was received whole and lies on disk until it is discarded. */
export interface StagedMedia {
  path: string;
  mediaType: string;
  digests: ContentDigests;
  /** Names a file beside it, which is discarded with it. */
  besides(name: string): string;
  discard(): Promise<void>;
}

/** Receives a media file into a temporary directory, hashing on the way. Rejects, leaving nothing, when the source fails. */
export async function stageMedia(source: AsyncIterable<Uint8Array>): Promise<StagedMedia> {
  const directory = await mkdtemp(path.join(tmpdir(), 'colophon-media-'));
  const discard = () => rm(directory, { recursive: true, force: true });
  const file = path.join(directory, 'received');
  const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
  const head: Uint8Array[] = [];
  let headBytes = 0;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hasher.update(chunk);
      if (headBytes < SNIFFED_BYTES) head.push(Buffer.from(chunk.subarray(0, SNIFFED_BYTES - headBytes)));
      headBytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await pipeline(
      watched(),
      createWriteStream(file, { flags: 'wx', mode: 0o600, highWaterMark: BUFFERED_BYTES }),
    );
    const mediaType = await sniffMediaType(Buffer.concat(head));
    const besides = (name: string) => path.join(directory, name);
    return { path: file, mediaType, digests: hasher.finish(), besides, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}
