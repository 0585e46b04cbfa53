import type { ContentDigests } from '@colophon/model';

/** Messages to the thread. `stream` names one of many contents that are hashed concurrently. */
export type ToHashThread =
  | { kind: 'update'; stream: number; chunks: Uint8Array[] }
  | { kind: 'finish'; stream: number }
  | { kind: 'discard'; stream: number };

/** Messages from the thread. `hashed` answers one `update`. */
export type FromHashThread =
  | { kind: 'hashed'; stream: number }
  | { kind: 'finished'; stream: number; digests: ContentDigests };
