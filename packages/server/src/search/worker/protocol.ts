import type { Candidate, CheckedMatch, Described, Kind, Method } from '../descriptor.js';
import type { DescriptorText } from '../descriptor-text.js';

export interface DescribeTask {
  kind: 'describe';
  as: Kind;
  mediaType: string;
  bytes: Uint8Array;
}

/** A task to compare candidates with described content. */
export interface MatchCheckTask {
  kind: 'check';
  method: Method;
  evidence: Uint8Array;
  candidates: readonly Candidate[];
}

export type SearchTask = DescribeTask | MatchCheckTask;

/** `nothing`: the content cannot be described, with the reason. `isPassing`: a later attempt may succeed. */
export type Description =
  | { kind: 'described'; described: Described; text: DescriptorText }
  | { kind: 'nothing'; reason: string; isPassing?: true };

export interface SearchWorkerData {
  /** The program that computes fingerprints of sound. */
  fpcalc: string | undefined;
  maxPictureBytes: number;
}

export type SearchAnswer = Description | { kind: 'checked'; checked: CheckedMatch[] };

export type FromSearchWorker =
  | { kind: 'ready' }
  | { kind: 'done'; answer: SearchAnswer }
  | { kind: 'failed'; message: string };
