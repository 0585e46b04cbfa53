/** Bytes of one content, addressed inside a project by `sha256:<hex>` of the whole. */
export interface BlobRef {
  projectId: string;
  contentDigest: string;
}

/** Part of a content, in bytes; both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Content on its way into a store. Nothing of it can be read before `commit`. */
export interface BlobWriter {
  /** Takes the next bytes; resolves when more may come. Rejects with `PayloadTooLarge` when the store is full. */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Makes the bytes readable under their digest, and durable in a store that is. Storing the same content
   * twice keeps one copy. The caller vouches for the digest: it hashed the same bytes.
   */
  commit(contentDigest: string): Promise<void>;
  /** Forgets what was written; does nothing after `commit`. */
  discard(): Promise<void>;
}

/** Content that a store has, as a listing tells it. */
export interface StoredBlob extends BlobRef {
  sizeBytes: number;
  storedAt: Date;
}

/**
 * Where bytes live. Each project's bytes are apart, also when two projects store the same content: neither can
 * learn from the other's presence.
 */
export interface BlobStore {
  /** Whether committed bytes outlive the process. */
  readonly durable: boolean;
  createWriter(projectId: string): Promise<BlobWriter>;
  /**
   * Stores content of at most 1 MiB, as a writer with one `write` and a `commit` does, and leaves nothing behind when it
   * rejects. The bytes must not change before it resolves.
   */
  put(ref: BlobRef, bytes: Uint8Array): Promise<void>;
  /** Size in bytes; undefined when the content is not here. */
  readSize(ref: BlobRef): Promise<number | undefined>;
  /**
   * The bytes, or the range of them, as a stream; undefined when the content is not here. A store that keeps bytes
   * on another machine checks them: where they are not those of the digest the stream rejects before its last byte.
   */
  readContent(ref: BlobRef, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Every content of every project, in no order; unfinished uploads are not among them. */
  listContents(): AsyncIterable<StoredBlob>;
  /** Removes content for good; does nothing when it is not here. */
  remove(ref: BlobRef): Promise<void>;
  /** The content can be had elsewhere from now on: a store without room for more may forget it. */
  release(ref: BlobRef): void;
  /** Rejects when bytes cannot be stored or read now. */
  check(): Promise<void>;
  close(): Promise<void>;
}
