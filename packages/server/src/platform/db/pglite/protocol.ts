/** Settings of the worker at its start. Without a directory the database is in memory, and always new. */
export interface EngineWorkerSettings {
  directory: string | undefined;
  templateFile: string | undefined;
  /** Whether to create a database in the directory. Otherwise one must exist. */
  isNew?: boolean;
}

/**
 * A call to the worker: one statement with parameters, or several without. A statement with a number above 0 stays
 * prepared; only its first call carries the text.
 */
export type WorkerCall =
  | { kind: 'query'; statement: number; text: string | undefined; parameters: readonly unknown[] }
  | { kind: 'exec'; text: string }
  | { kind: 'close' };

/** The columns of a result: their names, and the indexes of those with JSON text. */
export interface ResultShape {
  names: readonly string[];
  json: readonly number[];
}

/** The values of all rows, row by row. `shape` is present the first time. */
export interface ResultRows {
  rowCount: number;
  values: readonly unknown[];
  shape?: ResultShape;
}

export interface Failure {
  message: string;
  sqlState: string | undefined;
  constraint: string | undefined;
}

/** The answer to one call. Calls come in batches and are answered in their order. */
export type EngineWorkerAnswer = ResultRows | { failure: Failure };

/** An answer, and the engine's time for it. */
export type TimedAnswer = EngineWorkerAnswer & { tookMs: number };

/** The worker's first message: whether the database is open. With `ready: false` it is also its last. */
export type WorkerState = { ready: true } | { ready: false; message: string };
