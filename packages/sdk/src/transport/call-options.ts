/** Options of a single call; absent ones come from the client. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason, as `fetch` does. */
  signal?: AbortSignal;
  /**
   * Timeout of one attempt, in milliseconds. It starts when the request is sent completely. While a file is being
   * sent, it limits the time without progress.
   */
  timeoutMs?: number;
  /** Number of repetitions of a failed attempt; 0 for none. */
  maxRetries?: number;
  /**
   * 1 to 255 visible ASCII characters. A repeated POST with the same key gets the first answer for 24 hours. By
   * default, every call creates its own key, which all its attempts use.
   */
  idempotencyKey?: string;
}

/** Optional parts of the answer to a recording. */
export interface Preferences {
  /** Adds the receipt of the record to the answer, as `receipt`. */
  receipt?: boolean;
  /**
   * If the service anchors actions on a chain: how long to wait for the anchor of this one, in whole seconds, at most
   * 60.
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
  /** The file's name in the form; a File has its own. */
  fileName?: string;
  /** Called while the file is being sent. A repeated attempt starts at 0 again. */
  onProgress?: (progress: UploadProgress) => void;
}
