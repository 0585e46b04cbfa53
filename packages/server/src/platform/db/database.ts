import { ServiceError } from '../../errors.js';

/** A database that runs SQL. Statements use the dialect of PostgreSQL 15; parameters are $1, $2, ... */
export interface Queryable {
  /**
   * Runs one statement and returns its rows. `jsonb` parameters are texts. Throws DatabaseError when the database
   * rejects the statement, ServiceError `Unavailable` during an outage, and the reason of `signal` when that
   * aborts. A waiting statement then does not run. PostgreSQL cancels a running one; the embedded engine and a
   * replica finish it, and Supabase ends it at its own time limit.
   */
  query<Row>(text: string, parameters?: readonly unknown[], signal?: AbortSignal): Promise<Row[]>;
}

/** Returns the same database, which starts no statement after `signal` has aborted. */
export function untilAborted(db: Queryable, signal: AbortSignal | undefined): Queryable {
  if (signal === undefined) return db;
  return {
    async query(text, parameters) {
      signal.throwIfAborted();
      const rows = await db.query(text, parameters, signal);
      return rows as never;
    },
  };
}

const insideTransaction = Symbol('inside a transaction');

/** A database inside a transaction. Its writes become visible together, at commit, or not at all. */
export interface Tx extends Queryable {
  readonly [insideTransaction]: true;
  /** Runs several statements without parameters. */
  exec(sql: string): Promise<void>;
}

/** Marks a session that has begun a transaction. For adapters only. */
export function toTx(session: Pick<Tx, 'query' | 'exec'>): Tx {
  return { ...session, [insideTransaction]: true };
}

/** The project of a transaction. A transaction does not begin after `signal` has aborted. */
export interface TransactionOptions {
  projectId: string;
  signal?: AbortSignal | undefined;
}

/** A database. A committed write is on stable storage, except in memory. */
export interface Database extends Queryable {
  readonly engine: 'pglite' | 'postgresql' | 'supabase';
  /** Commits the writes of `run` when it resolves, and rolls back when it rejects. */
  transaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}

/** The database rejected a statement. `sqlState` has five characters (PostgreSQL's appendix A). */
export class DatabaseError extends Error {
  readonly sqlState: string;
  readonly constraint: string | undefined;

  constructor(
    message: string,
    facts: { sqlState: string; constraint?: string | undefined; cause?: unknown },
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'DatabaseError';
    this.sqlState = facts.sqlState;
    this.constraint = facts.constraint;
  }
}

/**
 * 08: the connection broke. 25006: the node became read-only. 25P03: the transaction was idle for too long. 53: out
 * of disk, memory or connections. 55P03: a lock was not available in time. 57014, 57P: cancelled, or the server is
 * shutting down or starting. 58: its files cannot be read or written.
 */
const OUTAGE = /^(?:08|25006|25P03|53|55P03|57014|57P|58)/;

const RETRY_SECONDS = 2;

/** Returns the error for an outage of the database, independent of the statement. */
export function toOutage(message: string, cause: unknown): ServiceError {
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  return new ServiceError('Unavailable', message, { cause, headers });
}

/** Returns the error for a rejected statement: an outage when the statement is not the cause. */
export function toDatabaseError(
  message: string,
  facts: { sqlState: string; constraint?: string | undefined },
): DatabaseError | ServiceError {
  const refusal = new DatabaseError(message, facts);
  if (!OUTAGE.test(facts.sqlState)) return refusal;
  return toOutage('The database cannot do this now.', refusal);
}

/** Whether a row was rejected because of an equal one (`unique_violation`). */
export function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === '23505';
}
