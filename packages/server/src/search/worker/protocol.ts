import type { Candidate, CheckedMatch, Described, Kind, Method } from '../descriptor.js';
import type { DescriptorText } from '../descriptor-text.js';

/** Describe content. */
export interface DescribeTask {
  kind: 'describe';
  as: Kind;
  mediaType: string;
  bytes: Uint8Array;
}

/** Check candidates against content that was described. */
export interface MatchCheckTask {
  kind: 'check';
  method: Method;
  evidence: Uint8Array;
  candidates: readonly Candidate[];
}

export type SearchTask = DescribeTask | MatchCheckTask;

/** `nothing`: the content cannot be described, and why; `isPassing` when that may be otherwise another time. */
export type Description =
  | { kind: 'described'; described: Described; text: DescriptorText }
  | { kind: 'nothing'; reason: string; isPassing?: true };

/** Settings of a thread at its start. */
export interface SearchWorkerData {
  /** The program that makes fingerprints of sound. */
  fpcalc: string | undefined;
  /** Memory that decoding a picture may take. */
  maxPictureBytes: number;
}

export type SearchAnswer = Description | { kind: 'checked'; checked: CheckedMatch[] };

export type FromSearchWorker =
  | { kind: 'ready' }
  | { kind: 'done'; answer: SearchAnswer }
  | { kind: 'failed'; message: string };
