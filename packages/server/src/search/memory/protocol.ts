import type { Method } from '../descriptor.js';
import type { DescriptorText } from '../descriptor-text.js';

/** `evidence`: only for `TEXT_METHOD`. */
export interface Near {
  cid: string;
  /** The type of the content at the time when its descriptor was read or written. */
  type: string;
  turn: number;
  cosine: number;
  evidence?: Uint8Array;
}

/** The signs of many stored vectors of one method and length: one bit for each number, 1 if it is positive. */
export interface SignSlice {
  method: Method;
  dimensions: number;
  /** Separated by line feeds. */
  cids: string;
  types: string;
  /** Base64 of the signs in order. Each content has a whole number of bytes; the first sign is the highest bit. */
  signs: string;
}

/** `vector`: base64 of `array_send`. `evidence`: base64; null for a method whose evidence the index does not store. */
export interface StoredVector {
  cid: string;
  vector: string;
  evidence: string | null;
}

export interface NewDescriptor extends StoredVector {
  method: Method;
  type: string;
  signs: string;
  dimensions: number;
}

export interface RecordedRow extends DescriptorText {
  cid: string;
  type: string;
}

export interface FindTask {
  projectId: string;
  method: Method;
  turned: readonly Float32Array[];
  limit: number;
}

export type ToIndex =
  /** Slices follow. Earlier data of the project is removed. */
  | { kind: 'begin'; projectId: string }
  | { kind: 'slice'; projectId: string; slices: readonly SignSlice[] }
  /** All slices are sent. The project can be searched. */
  | { kind: 'loaded'; projectId: string }
  | { kind: 'new'; projectId: string; rows: readonly NewDescriptor[] }
  | { kind: 'recorded'; projectId: string; row: RecordedRow }
  | { kind: 'find'; id: number; task: FindTask }
  | { kind: 'vectors'; id: number; rows: readonly StoredVector[] }
  | { kind: 'leave'; id: number };

export type FromIndex =
  /** `near` is absent when the project is not in memory. */
  | { kind: 'found'; id: number; near?: Near[] }
  | { kind: 'missing'; id: number; cids: string[] }
  | { kind: 'evicted'; projectId: string };

export interface IndexWorkerData {
  maxBytes: number;
}
