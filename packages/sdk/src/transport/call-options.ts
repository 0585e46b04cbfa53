/** What a single call may ask for; what is absent is as the client was made. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason, as `fetch` does. */
  signal?: AbortSignal;
  /**
   * How long one attempt may wait for its answer once the request is sent, in milliseconds; while a file is sent, how long
   * it may not get ahead.
   */
  timeoutMs?: number;
  /** How often a failed attempt is repeated; 0 for never. */
  maxRetries?: number;
  /**
   * 1 to 255 visible ASCII characters: a repeated POST with the same key gets its first answer for 24 hours. One of its
   * own is made for every call, for its attempts alone.
   */
  idempotencyKey?: string;
}

/** What the answer to a recording may bring along. */
export interface Preferences {
  /** The receipt of what was recorded, as `receipt` of the answer. */
  receipt?: boolean;
  /** Where actions are anchored on a chain: how long to wait until this one is, in whole seconds, at most 60. */
  waitSeconds?: number;
}

/** What a recording may ask for. */
export interface RecordOptions extends CallOptions {
  prefer?: Preferences;
}

/** How far an upload has come. `totalBytes` is undefined for a stream, whose end is not known. */
export interface UploadProgress {
  sentBytes: number;
  totalBytes: number | undefined;
}

/** What a call that sends a file may ask for. */
export interface UploadOptions extends CallOptions {
  /** The file's name, as a form carries it; a File has its own. */
  fileName?: string;
  /** Called while the file is sent. A repeated attempt begins at 0 again. */
  onProgress?: (progress: UploadProgress) => void;
}
