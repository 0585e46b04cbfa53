/** Settings of the worker at its start. Without a directory the database is in memory, and always new. */
export interface EngineWorkerSettings {
  directory: string | undefined;
  templateFile: string | undefined;
  /** Whether a database is to be made in the directory; otherwise there must be one. */
  isNew?: boolean;
}

/**
 * A call to the worker: one statement with parameters, or several without. A statement with a number above 0 is kept
 * prepared, and its text comes with the first call alone.
 */
export type WorkerCall =
  | { kind: 'query'; statement: number; text: string | undefined; parameters: readonly unknown[] }
  | { kind: 'exec'; text: string }
  | { kind: 'close' };

/** The columns of a result: their names, and the places of those that hold JSON text. */
export interface ResultShape {
  names: readonly string[];
  json: readonly number[];
}

/** The values of all rows, one row after the other; `shape` when the statement's has not been sent yet. */
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

/** An answer, and how long the engine took. */
export type TimedAnswer = EngineWorkerAnswer & { tookMs: number };

/** The worker's first message, whether the database is open; `ready: false` is also its last when it cannot go on. */
export type WorkerState = { ready: true } | { ready: false; message: string };
