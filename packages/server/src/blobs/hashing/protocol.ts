import type { ContentDigests } from '@colophon/model';

/** `stream` identifies one of the contents that are hashed concurrently. */
export type ToHashThread =
  | { kind: 'update'; stream: number; chunks: Uint8Array[] }
  | { kind: 'finish'; stream: number }
  | { kind: 'discard'; stream: number };

/** The thread sends `hashed` for each `update`. */
export type FromHashThread =
  | { kind: 'hashed'; stream: number }
  | { kind: 'finished'; stream: number; digests: ContentDigests };
