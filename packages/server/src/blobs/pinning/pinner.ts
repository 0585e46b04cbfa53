import type { ByteRange } from '../blob-store.js';

/** Recorded content that is to be pinned. */
export interface PinContent {
  cid: string;
  sizeBytes: number;
  mimeType: string;
  open(range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

/** The pinning service's name of a content, and its address there. */
export interface Pinned {
  cid: string;
  uri: string;
}

/** A service that keeps copies of content and serves them by CID to the IPFS network. */
export interface Pinner {
  /** Its name in `locations`. */
  readonly provider: string;
  /** Sends the bytes. Idempotent: the same content is kept once. Rejects when it is not certain that they are kept. */
  pin(content: PinContent, signal: AbortSignal): Promise<Pinned>;
  /** The bytes it has under this CID, unchecked; undefined when it has none. */
  read(cid: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>;
}
