import { createHash } from 'node:crypto';
import { type ContentDigests, createContentHasher } from '@colophon/model';

export interface StreamHasher {
  /** Resolves when the hasher can take more. The caller may then reuse the buffer. */
  update(chunk: Uint8Array): Promise<void>;
  /** Like `update`, but may move the chunk's memory to another thread. The caller must not use the chunk afterwards. */
  take(chunk: Uint8Array): Promise<void>;
  /** Called once. */
  finish(): Promise<ContentDigests>;
  /** Does nothing after `finish`. */
  discard(): void;
}

/**
 * Creates a hasher for content of at most `expectedBytes` bytes. All contents without a `projectId` count as one
 * project.
 */
export type CreateStreamHasher = (expectedBytes: number | undefined, projectId?: string) => StreamHasher;

/** `expectedBytes`: the maximum size, if known. */
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
