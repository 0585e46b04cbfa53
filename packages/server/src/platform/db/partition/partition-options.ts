export interface PartitionOptions {
  /** Number of partitions of each table. */
  parts: number;
  /** Number of pages of a table that one statement copies. */
  pagesAtOnce?: number | undefined;
  /** Called after each copied portion, with the size of its pages in bytes. The copy waits for the returned promise. */
  advance?: ((bytes: number) => void | Promise<void>) | undefined;
  /** Number of attempts to lock tables. */
  attempts?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The options of one run. `runId` marks its copy. */
export interface PartitionRun extends PartitionOptions {
  runId: string;
}
