import type { CommentSyntax, ErrorCode, TextForm } from '@colophon/model';
import type { WantedManifest } from '../find-manifest.js';
import type { ReadOutcome, ReadRequest, SignIngredient, SignOutcome } from '../media-engine.js';
import type { PassSums } from '../pass-times.js';

export interface MediaWorkerSettings {
  /** All threads share this compiled code. */
  program: WebAssembly.Module;
}

export interface ReadTask extends Omit<ReadRequest, 'tenant' | 'signal'> {
  kind: 'read';
  maxBytes: number;
}

export interface SignTask {
  kind: 'sign';
  path: string;
  outputPath: string;
  mediaType: string;
  /** The syntax of the comment that contains the manifest of a text. */
  comment?: CommentSyntax | undefined;
  textForm?: TextForm | undefined;
  definition: Record<string, unknown>;
  ingredients: readonly SignIngredient[];
  /** Memory to decode the picture for its thumbnail; 0: no thumbnail. */
  thumbnailBytes: number;
  isUnsigned: boolean;
  algorithm: string;
  /** The length of every signature in bytes. */
  reserveBytes: number;
  /** Signs in addition to the claim signer. */
  identity: { reserveBytes: number; roles: readonly string[] } | undefined;
  trustAnchorsPem: string | undefined;
  identityAnchorsPem: string | undefined;
  maxBytes: number;
}

export interface FindInTextTask extends WantedManifest {
  kind: 'find';
  bytes: Uint8Array<ArrayBuffer>;
}

export interface FindOutcome {
  found: { bytes: Uint8Array<ArrayBuffer>; sha256: string } | undefined;
}

export type WorkerTask = ReadTask | SignTask | FindInTextTask;
export type MediaWorkerAnswer = ReadOutcome | SignOutcome | FindOutcome;

/** The signature of a draft needs only the right length, so it gets no time-stamp. */
export interface SignatureCall {
  by: 'signer' | 'identity';
  payload: Uint8Array;
  isDraft: boolean;
}

export type ToWorker =
  | { kind: 'run'; task: WorkerTask }
  | { kind: 'signed'; signature: Uint8Array }
  | { kind: 'unsigned' };

export interface WorkerLoad {
  /** The memory of a thread never shrinks, so a thread with much memory is replaced. */
  memoryBytes: number;
  /** Number of attempts since the last answer of the thread. */
  networkAttempts: number;
  /** The engine failed internally, so the thread must not be used again. */
  isPoisoned: boolean;
  passes: PassSums;
}

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'unready'; message: string }
  | ({ kind: 'sign' } & SignatureCall)
  | { kind: 'written' }
  | { kind: 'done'; answer: MediaWorkerAnswer; load: WorkerLoad }
  | {
      kind: 'failed';
      code: ErrorCode;
      message: string;
      recovery?: string;
      details?: unknown;
      load: WorkerLoad;
    };
