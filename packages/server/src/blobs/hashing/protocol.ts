import type { ContentDigests } from '@colophon/model';

/** What the thread is told. `stream` names one content of many that are hashed at once. */
export type ToHashThread =
  | { kind: 'update'; stream: number; block: ArrayBuffer; sizeBytes: number }
  | { kind: 'finish'; stream: number }
  | { kind: 'discard'; stream: number };

/** What the thread answers: every block comes back once it is hashed. */
export type FromHashThread =
  | { kind: 'hashed'; stream: number; block: ArrayBuffer }
  | { kind: 'finished'; stream: number; digests: ContentDigests };
