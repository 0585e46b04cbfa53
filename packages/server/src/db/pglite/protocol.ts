/** What the worker is started with. Without a directory the database lives in memory, and is always new. */
export interface WorkerSettings {
  directory: string | undefined;
  templateFile: string | undefined;
  /** Whether a database is to be made in the directory; otherwise there must be one. */
  isNew?: boolean;
}

/** A call to the worker: one statement with parameters, or several without. */
export type WorkerCall =
  | { id: number; kind: 'query'; text: string; parameters: readonly unknown[] }
  | { id: number; kind: 'exec'; text: string }
  | { id: number; kind: 'close' };

/** The worker's answer to the call with the same id. */
export type WorkerAnswer =
  | { id: number; rows: unknown[] }
  | {
      id: number;
      failure: { message: string; sqlState: string | undefined; constraint: string | undefined };
    };

/** The worker's first message, whether the database is open; `ready: false` is also its last when it cannot go on. */
export type WorkerState = { ready: true } | { ready: false; message: string };
