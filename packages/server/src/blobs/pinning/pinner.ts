import type { ByteRange } from '../blob-store.js';

export interface PinContent {
  cid: string;
  sizeBytes: number;
  mimeType: string;
  open(range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

/** `cid`: the CID at the pinning service. */
export interface Pinned {
  cid: string;
  uri: string;
}

/** A service that keeps copies of content and serves them by CID to the IPFS network. */
export interface Pinner {
  /** The name of the service in `locations`. */
  readonly provider: string;
  /** Sends the bytes. Idempotent. Rejects if it is uncertain whether the service has stored the bytes. */
  pin(content: PinContent, signal: AbortSignal): Promise<Pinned>;
  /** Reads the bytes with this CID without checking them; undefined when the service does not have them. */
  read(cid: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>;
}
