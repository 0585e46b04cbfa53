/**
 * Size of the chunks when the service itself reads a content. A response uses smaller chunks, because each chunk stays
 * in memory until the client has read it.
 */
export const LARGE_CHUNK_BYTES = 2 ** 20;

export interface BlobRef {
  projectId: string;
  /** `sha256:<hex>`. */
  contentDigest: string;
}

/** Includes the bytes at `start` and at `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Readers see nothing before `commit`. */
export interface BlobWriter {
  /** Resolves when the writer accepts more. Rejects with `PayloadTooLarge` or `Unavailable` when the store is full. */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Makes the bytes readable under their digest, and durable in a durable store. A project keeps one copy of a content.
   * The caller must have computed the digest from these bytes.
   */
  commit(contentDigest: string): Promise<void>;
  /** Discards the bytes. Does nothing after `commit`. */
  discard(): Promise<void>;
}

export interface StoredBlob extends BlobRef {
  sizeBytes: number;
  storedAt: Date;
}

/** The bytes of each project are separate, so no project can find out which content another project has. */
export interface BlobStore {
  /** Whether committed bytes survive the end of the process. */
  readonly durable: boolean;
  createWriter(projectId: string): Promise<BlobWriter>;
  /**
   * Stores content of at most 1 MiB, as durably as `commit`. When `put` rejects, nothing remains. The caller must not
   * change the bytes before `put` resolves.
   */
  put(ref: BlobRef, bytes: Uint8Array): Promise<void>;
  /** Returns the size in bytes; undefined when the content is not stored. */
  readSize(ref: BlobRef): Promise<number | undefined>;
  /**
   * Returns the bytes, or a range of them; undefined when the content is not stored. A store on another machine checks
   * the digest: the stream rejects before its last byte if the digest does not match. `chunkBytes`: 64 KiB by default,
   * for stores that read files.
   */
  readContent(
    ref: BlobRef,
    range?: ByteRange,
    chunkBytes?: number,
  ): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Lists the content of all projects in undefined order, without unfinished uploads. */
  listContents(): AsyncIterable<StoredBlob>;
  /** Removes content permanently. Does nothing when it is not stored. */
  remove(ref: BlobRef): Promise<void>;
  /**
   * Reads a small document that may change; undefined when there is none. Documents are separate from content. `name`:
   * lower-case letters, digits and `-`.
   */
  readDocument(name: string): Promise<Buffer | undefined>;
  /** Creates or replaces a document. In a durable store, it is durable when `writeDocument` resolves. */
  writeDocument(name: string, bytes: Uint8Array): Promise<void>;
  /** Does nothing when the document does not exist. */
  removeDocument(name: string): Promise<void>;
  /** Marks content as available elsewhere. A store that evicts content may then evict it. */
  release(ref: BlobRef): void;
  /** Rejects when bytes cannot be stored or read now. */
  check(): Promise<void>;
  close(): Promise<void>;
}
