import { createHash } from 'node:crypto';
import { type ContentDigests, createContentHasher } from '@colophon/model';

/** Hashes content that arrives in pieces. */
export interface StreamHasher {
  /** Takes the next bytes; resolves when more may come. The caller may reuse the buffer afterwards. */
  update(chunk: Uint8Array): Promise<void>;
  /** As `update`, but the caller gives the chunk away: another thread may have its memory from then on. */
  take(chunk: Uint8Array): Promise<void>;
  /** The names of what was taken. Called once. */
  finish(): Promise<ContentDigests>;
  /** Forgets what was taken; does nothing after `finish`. */
  discard(): void;
}

/** Begins to hash content of so many bytes; undefined when nobody knows how many will come. */
export type CreateStreamHasher = (expectedBytes: number | undefined) => StreamHasher;

/** The hasher of received bytes, and their expected number, if it is known. */
export interface HashingOptions {
  createHasher: CreateStreamHasher;
  expectedBytes?: number | undefined;
}

/** Hashes in this thread. */
export function createInlineHasher(): StreamHasher {
  const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
  const update = async (chunk: Uint8Array) => hasher.update(chunk);
  return {
    update,
    take: update,
    finish: async () => hasher.finish(),
    discard() {},
  };
}
