/** Options of a single call. For an absent option, the option of the client applies. */
export interface CallOptions {
  /** Cancels the call. The call then rejects with the signal's reason, as `fetch` does. */
  signal?: AbortSignal;
  /**
   * Timeout of one attempt, in milliseconds. It starts when the client sends the request. While the client sends a form
   * with a file, the timeout limits the time without progress.
   */
  timeoutMs?: number;
  /** Maximum number of repetitions of a failed attempt; 0 for none. */
  maxRetries?: number;
  /**
   * 1 to 255 visible ASCII characters. For 24 hours, a repeated POST with the same key gets the response of the first
   * POST. By default, a call that needs an idempotency key creates one, and all its attempts use this key.
   */
  idempotencyKey?: string;
}

/** Optional parts of the response to a recording. */
export interface Preferences {
  /** Adds the receipt of the record to the response, as `receipt`. */
  receipt?: boolean;
  /**
   * Number of seconds that the service waits for the anchor of this action, an integer of at most 60. It has an
   * effect only if the service anchors actions on a blockchain.
   */
  waitSeconds?: number;
}

/** Options of a recording. */
export interface RecordOptions extends CallOptions {
  prefer?: Preferences;
}

/** The progress of an upload. `totalBytes` is undefined for a stream of unknown length. */
export interface UploadProgress {
  sentBytes: number;
  totalBytes: number | undefined;
}

/** Options of a call that sends a file. */
export interface UploadOptions extends CallOptions {
  /** Name of the file in the form. The default is the name of a File. */
  fileName?: string;
  /** Called while the client sends the file. A repeated attempt starts at 0 again. */
  onProgress?: (progress: UploadProgress) => void;
}
