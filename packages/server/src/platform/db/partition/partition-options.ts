export interface PartitionOptions {
  parts: number;
  /** Number of pages of a table that one statement copies. */
  pagesAtOnce?: number | undefined;
  /** Called after each copied portion, with the size of its pages in bytes. The copy waits for the returned promise. */
  advance?: ((bytes: number) => void | Promise<void>) | undefined;
  attempts?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** `runId` marks the copy of the run. */
export interface PartitionRun extends PartitionOptions {
  runId: string;
}
