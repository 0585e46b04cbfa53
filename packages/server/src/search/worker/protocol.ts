import type { IsccUnit, StoredSoftBinding } from '@colophon/model';
import type { Candidate, CheckedMatch, Described, Kind, Method } from '../descriptor.js';
import type { DescriptorText } from '../descriptor-text.js';
import type { NeuralModel } from '../neural/neural-model.js';

export interface DescribeTask {
  kind: 'describe';
  as: Kind;
  mediaType: string;
  /** For a text without `iscc`, the beginning is enough. */
  bytes: Uint8Array;
  frames?: Uint8Array | undefined;
  /** The result of `readSignature`. Without it, a video has no Content-Code. */
  signature?: Uint8Array | undefined;
  /** The description is not used for a search, so a video needs no mirrored frames. */
  isOnlyStored?: boolean | undefined;
  /** The description is only used for a search, so a text with a single word is enough. */
  isOnlySearched?: boolean | undefined;
  /**
   * `also`: computes the ISCC and the descriptor. `only`: computes only the ISCC. `bytes`: computes only the Data-Code
   * and the Instance-Code, so nothing is decoded.
   */
  iscc?: 'also' | 'only' | 'bytes';
}

export interface MatchCheckTask {
  kind: 'check';
  method: Method;
  evidence: Uint8Array;
  mirrored?: Uint8Array | undefined;
  candidates: readonly Candidate[];
}

export interface MarkTask {
  kind: 'mark';
  as: 'image' | 'sound';
  bytes: Uint8Array;
  payload: bigint;
}

/** A task to draw the watermark of a video. `bytes`: frames from `sampleFrames`. `payload`: 48 bits. */
export interface DrawMarkTask {
  kind: 'drawMark';
  bytes: Uint8Array;
  size: { width: number; height: number };
  payload: bigint;
}

/** `samples`: from `readSamples`. `frames`: from `sampleFrames`. */
export interface ReadMarkTask {
  kind: 'readMark';
  as: 'image' | 'heif' | 'sound' | 'samples' | 'frames';
  bytes: Uint8Array;
}

export interface PreviewTask {
  kind: 'preview';
  as: 'image' | 'heif';
  bytes: Uint8Array;
}

/** The thread marks a drawn picture, and reads the mark. */
export interface TryModelTask {
  kind: 'tryModel';
}

/** `samples`: from `readSamples`. */
export interface ThumbnailTask {
  kind: 'thumbnail';
  as: 'image' | 'heif' | 'wav' | 'samples';
  bytes: Uint8Array;
}

export type SearchTask =
  | DescribeTask
  | MatchCheckTask
  | MarkTask
  | DrawMarkTask
  | ReadMarkTask
  | ThumbnailTask
  | PreviewTask
  | TryModelTask;

/** `bytes`: the marked copy, or a drawn pattern. */
export type Marking = { kind: 'marked'; bytes: Uint8Array } | { kind: 'unmarked'; reason: string };

/** The result of reading a mark. It has at most one soft binding for each algorithm. */
export type MarkReading =
  | { kind: 'read'; bindings: readonly StoredSoftBinding[] }
  | { kind: 'unread'; reason: string };

/** `bytes`: WebP. */
export type Drawing = { kind: 'drawn'; bytes: Uint8Array } | { kind: 'undrawn'; reason: string };
/** `bytes`: JPEG. */
export type Preview = { kind: 'preview'; bytes: Uint8Array } | { kind: 'unread'; reason: string };

export interface TriedModel {
  kind: 'tried';
  problem: string | undefined;
}

export interface FurtherText extends DescriptorText {
  part?: number;
}

/** `isPassing`: a later attempt may succeed. `hasTooLittle`: the content has too little to compare. */
export interface Undescribable {
  kind: 'nothing';
  reason: string;
  isPassing?: true;
  hasTooLittle?: true;
}

export type Description =
  | { kind: 'described'; described: Described; text: DescriptorText; further?: readonly FurtherText[] }
  | Undescribable;

/**
 * `units`: Content-Code (if the content has one), Data-Code, Instance-Code; absent when a later attempt may succeed.
 */
export interface CodedContent {
  kind: 'coded';
  description?: Description;
  units?: IsccUnit[];
}

export interface SearchWorkerData {
  fpcalc: string | undefined;
  pdftotext: string | undefined;
  maxPictureBytes: number;
  watermarkModel: NeuralModel | undefined;
}

export type SearchAnswer =
  | Description
  | CodedContent
  | Marking
  | MarkReading
  | Drawing
  | Preview
  | TriedModel
  | { kind: 'checked'; checked: CheckedMatch[] };

export type FromSearchWorker =
  | { kind: 'ready' }
  | { kind: 'done'; answer: SearchAnswer }
  | { kind: 'failed'; message: string };
