import type { ContentDigests } from '@colophon/model';

/** What the thread is told. `stream` names one content of many that are hashed at once. */
export type ToHashThread =
  | { kind: 'update'; stream: number; chunks: Uint8Array[] }
  | { kind: 'finish'; stream: number }
  | { kind: 'discard'; stream: number };

/** What the thread answers. `hashed` is of one `update`. */
export type FromHashThread =
  | { kind: 'hashed'; stream: number }
  | { kind: 'finished'; stream: number; digests: ContentDigests };
