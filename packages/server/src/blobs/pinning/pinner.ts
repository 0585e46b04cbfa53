import type { ByteRange } from '../blob-store.js';

export interface PinContent {
  cid: string;
  sizeBytes: number;
  mimeType: string;
  open(range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

/** The pinning service's CID of a content, and its address there. */
export interface Pinned {
  cid: string;
  uri: string;
}

/** A service that keeps copies of content and serves them by CID to the IPFS network. */
export interface Pinner {
  /** Its name in `locations`. */
  readonly provider: string;
  /** Sends the bytes. Idempotent. Rejects when the service may not have stored them. */
  pin(content: PinContent, signal: AbortSignal): Promise<Pinned>;
  /** Reads the bytes with this CID without checking them; undefined when the service has none. */
  read(cid: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>;
}
