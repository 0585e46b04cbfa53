import { createHash } from 'node:crypto';
import { type ContentDigests, createContentHasher } from '@colophon/model';

/** Hashes content that arrives in chunks. */
export interface StreamHasher {
  /** Adds the next bytes, and resolves when the hasher can take more. The caller may then reuse the buffer. */
  update(chunk: Uint8Array): Promise<void>;
  /** Like `update`, but may move the chunk's memory to another thread. The caller must not use the chunk afterwards. */
  take(chunk: Uint8Array): Promise<void>;
  /** Returns the digests of the added bytes. Called once. */
  finish(): Promise<ContentDigests>;
  /** Discards the added bytes. Does nothing after `finish`. */
  discard(): void;
}

/**
 * Creates a hasher for content of at most `expectedBytes` bytes. Undefined: the size is unknown. Projects take turns at
 * the threads. All contents without a `projectId` count as contents of one project.
 */
export type CreateStreamHasher = (expectedBytes: number | undefined, projectId?: string) => StreamHasher;

/**
 * Options for hashing received content: `projectId` if the content has a project, and `expectedBytes` if the maximum
 * size is known.
 */
export interface HashingOptions {
  createHasher: CreateStreamHasher;
  projectId: string | undefined;
  expectedBytes?: number | undefined;
}

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
