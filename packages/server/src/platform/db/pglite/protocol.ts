/** Without a directory, the database is in memory and always new. */
export interface EngineWorkerSettings {
  directory: string | undefined;
  /** The start template, from which a database in memory begins. */
  templateFile: string | undefined;
  /** Whether to create a database in the directory. If not, the directory must contain a database. */
  isNew?: boolean;
}

/** A statement with a number above 0 is prepared. Only its first call contains the text. */
export type WorkerCall =
  | { kind: 'query'; statement: number; text: string | undefined; parameters: readonly unknown[] }
  | { kind: 'exec'; text: string }
  | { kind: 'close' };

/** Names of the columns, and indexes of the columns with JSON text. */
export interface ResultShape {
  names: readonly string[];
  json: readonly number[];
}

/** The values of all rows in one list, row after row. Only the first result of a statement has a `shape`. */
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

/** Answers have the order of their calls. */
export type EngineWorkerAnswer = ResultRows | { failure: Failure };

/** `tookMs`: duration of the call in the engine. */
export type TimedAnswer = EngineWorkerAnswer & { tookMs: number };

/** `ready: false` is the last message: the database could not be opened, or the engine has stopped. */
export type WorkerState = { ready: true } | { ready: false; message: string };
