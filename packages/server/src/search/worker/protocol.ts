import type { Candidate, CheckedMatch, Described, Kind, Method } from '../descriptor.js';
import type { DescriptorText } from '../descriptor-text.js';

export interface DescribeTask {
  kind: 'describe';
  as: Kind;
  mediaType: string;
  bytes: Uint8Array;
  /** The decoded frames of a video, from `readFrames`. */
  frames?: Uint8Array | undefined;
}

/** A task to compare candidates with described content. */
export interface MatchCheckTask {
  kind: 'check';
  method: Method;
  evidence: Uint8Array;
  mirrored?: Uint8Array | undefined;
  candidates: readonly Candidate[];
}

/** A task to add a watermark with this payload of 48 bits to a picture. */
export interface MarkTask {
  kind: 'mark';
  bytes: Uint8Array;
  payload: bigint;
}

/** A task to read the watermark of a picture. */
export interface ReadMarkTask {
  kind: 'readMark';
  as: 'image' | 'heif';
  bytes: Uint8Array;
}

export type SearchTask = DescribeTask | MatchCheckTask | MarkTask | ReadMarkTask;

/** `unmarked`: the picture cannot carry a watermark, with the reason. */
export type Marking = { kind: 'marked'; bytes: Uint8Array } | { kind: 'unmarked'; reason: string };

/** `unread`: the picture was not decoded, with the reason. Without a watermark, `payload` is undefined. */
export type MarkReading = { kind: 'read'; payload: bigint | undefined } | { kind: 'unread'; reason: string };

/** A further descriptor of a content. `part`: the number of the part of the content that it describes. */
export interface FurtherText extends DescriptorText {
  part?: number;
}

/** `nothing`: the content cannot be described, with the reason. `isPassing`: a later attempt may succeed. */
export type Description =
  | { kind: 'described'; described: Described; text: DescriptorText; further?: readonly FurtherText[] }
  | { kind: 'nothing'; reason: string; isPassing?: true };

export interface SearchWorkerData {
  /** The program that computes fingerprints of sound. */
  fpcalc: string | undefined;
  maxPictureBytes: number;
}

export type SearchAnswer = Description | Marking | MarkReading | { kind: 'checked'; checked: CheckedMatch[] };

export type FromSearchWorker =
  | { kind: 'ready' }
  | { kind: 'done'; answer: SearchAnswer }
  | { kind: 'failed'; message: string };
