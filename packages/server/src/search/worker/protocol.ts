import type { IsccUnit, StoredSoftBinding } from '@colophon/model';
import type { Candidate, CheckedMatch, Described, Kind, Method } from '../descriptor.js';
import type { DescriptorText } from '../descriptor-text.js';
import type { NeuralModel } from '../neural/neural-model.js';

export interface DescribeTask {
  kind: 'describe';
  as: Kind;
  mediaType: string;
  /** The content. If it is a text, and `iscc` is absent, the beginning of the text is enough. */
  bytes: Uint8Array;
  /** The decoded frames of a video, from `readFrames`. */
  frames?: Uint8Array | undefined;
  /** The MPEG-7 video signature of a video, from `readSignature`. Without it, a video has no Content-Code. */
  signature?: Uint8Array | undefined;
  /** The description is only stored, and not used for a search. So a video needs no mirrored frames. */
  isOnlyStored?: boolean | undefined;
  /** The description is only used for a search. So a text with a single word is enough. */
  isOnlySearched?: boolean | undefined;
  /**
   * `also`: computes the ISCC and the descriptor. `only`: computes the ISCC without a descriptor.
   * `bytes`: computes only the Data-Code and the Instance-Code, so nothing is decoded.
   */
  iscc?: 'also' | 'only' | 'bytes';
}

/** A task to compare candidates with described content. */
export interface MatchCheckTask {
  kind: 'check';
  method: Method;
  evidence: Uint8Array;
  mirrored?: Uint8Array | undefined;
  candidates: readonly Candidate[];
}

/** A task to add a watermark. The `MarkFormat` of the algorithm states the number of bits of the payload. */
export interface MarkTask {
  kind: 'mark';
  as: 'image' | 'sound';
  bytes: Uint8Array;
  payload: bigint;
}

/**
 * A task to draw the watermark of a video of this size, with a payload of 48 bits. `bytes`: frames from `sampleFrames`.
 * The answer has the pattern from `drawVideoMark`.
 */
export interface DrawMarkTask {
  kind: 'drawMark';
  bytes: Uint8Array;
  size: { width: number; height: number };
  payload: bigint;
}

/**
 * A task to read the watermark of a picture, of a sound or of a video. With `samples`, the bytes are from
 * `readSamples`; with `frames`, from `sampleFrames`.
 */
export interface ReadMarkTask {
  kind: 'readMark';
  as: 'image' | 'heif' | 'sound' | 'samples' | 'frames';
  bytes: Uint8Array;
}

/** A task to make a smaller copy of a picture, for readers. */
export interface PreviewTask {
  kind: 'preview';
  as: 'image' | 'heif';
  bytes: Uint8Array;
}

/** A task to try the model for watermarks: the thread marks a drawn picture, and reads the mark. */
export interface TryModelTask {
  kind: 'tryModel';
}

/** A task to draw the thumbnail of a picture or of a sound. With `samples`, the bytes are from `readSamples`. */
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

/** `bytes`: the marked copy, or a drawn pattern. `reason`: the reason why the content gets no watermark. */
export type Marking = { kind: 'marked'; bytes: Uint8Array } | { kind: 'unmarked'; reason: string };

/**
 * `bindings`: the soft bindings of the watermarks of a content, at most one for each algorithm. `reason`: the reason
 * why the content was not decoded.
 */
export type MarkReading =
  | { kind: 'read'; bindings: readonly StoredSoftBinding[] }
  | { kind: 'unread'; reason: string };

/** `bytes`: a picture in WebP. `reason`: the reason why the content has no thumbnail. */
export type Drawing = { kind: 'drawn'; bytes: Uint8Array } | { kind: 'undrawn'; reason: string };
/** `bytes`: the copy, as JPEG. `reason`: the reason why the picture was not decoded. */
export type Preview = { kind: 'preview'; bytes: Uint8Array } | { kind: 'unread'; reason: string };

/** `problem`: the reason why the model does not work; undefined if it works. */
export interface TriedModel {
  kind: 'tried';
  problem: string | undefined;
}

/** A further descriptor of a content. `part`: the number of the part of the content that it describes. */
export interface FurtherText extends DescriptorText {
  part?: number;
}

/**
 * The content cannot be described. `reason`: why not. `isPassing`: a later attempt may succeed. `hasTooLittle`: the
 * service reads the content, but the content has too little to compare.
 */
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
 * The answer to a task with an ISCC. `units`: Content-Code (if the content has one), Data-Code, Instance-Code; absent
 * when a later attempt may succeed.
 */
export interface CodedContent {
  kind: 'coded';
  description?: Description;
  units?: IsccUnit[];
}

export interface SearchWorkerData {
  /** The program that computes fingerprints of sound. */
  fpcalc: string | undefined;
  /** The program that reads the text of PDFs. */
  pdftotext: string | undefined;
  maxPictureBytes: number;
  /** The neural model that adds and reads the watermarks of pictures. */
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
