/** Size of a batch: number of records, number of content identifiers of its actions, and bytes of its JSON. */
export interface BatchSize {
  records: number;
  names: number;
  bytes: number;
}

/** A larger batch waits in the queue of large batches, which runs one batch per project at a time. */
export const LARGE_BATCH: BatchSize = { records: 200, names: 1_000, bytes: 2 ** 19 };

/** Returns the queue in which a batch waits. */
export function toBatchKind({ records, names, bytes }: BatchSize): 'batch' | 'bulk' {
  const isLarge = records > LARGE_BATCH.records || names > LARGE_BATCH.names || bytes > LARGE_BATCH.bytes;
  return isLarge ? 'bulk' : 'batch';
}
