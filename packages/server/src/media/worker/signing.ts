import type { PassTimes } from '../pass-times.js';
import type { SignatureCall, SignTask } from './protocol.js';

export interface SigningThread {
  requestSignature(call: SignatureCall): Promise<Uint8Array>;
  /** The signed file is on disk, and not verified yet. */
  notifyWritten(): void;
  times: PassTimes;
}

interface Thumbnail {
  mediaType: string;
  bytes: Uint8Array;
}

export interface Signing {
  task: SignTask;
  bytes: Uint8Array;
  settings: string;
  thread: SigningThread;
  /** Another thread makes the thumbnail while this thread reads the ingredients. Never rejects. */
  thumbnail: Promise<Thumbnail | undefined> | undefined;
}
