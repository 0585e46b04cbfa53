import { ServiceError } from '../../errors.js';

/** Something that answers SQL. Statements are PostgreSQL 15's dialect; parameters are $1, $2, ... */
export interface Queryable {
  /**
   * Runs one statement and gives its rows. `jsonb` parameters are passed as text.
   * Throws DatabaseError when the database refuses, ServiceError `Unavailable` when it cannot be reached, and the
   * reason of `signal` when that aborts: a statement that waits is not run. One that runs is cancelled by PostgreSQL;
   * the embedded engine and a replica finish it, and Supabase ends it at its own time limit.
   */
  query<Row>(text: string, parameters?: readonly unknown[], signal?: AbortSignal): Promise<Row[]>;
}

/** The same database, as long as `signal` stands: afterwards no statement is begun. */
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

/** A database inside a transaction: what it writes becomes visible together, at commit, or not at all. */
export interface Tx extends Queryable {
  readonly [insideTransaction]: true;
  /** Runs several statements without parameters. */
  exec(sql: string): Promise<void>;
}

/** For adapters alone: marks a session that has begun a transaction. */
export function toTx(session: Pick<Tx, 'query' | 'exec'>): Tx {
  return { ...session, [insideTransaction]: true };
}

/** The project that a transaction is for. A transaction does not begin once `signal` has aborted. */
export interface TransactionOptions {
  projectId: string;
  signal?: AbortSignal | undefined;
}

/** A database. A committed write is on stable storage, except in memory. */
export interface Database extends Queryable {
  readonly engine: 'pglite' | 'postgresql' | 'supabase';
  /** Commits what `run` wrote when it resolves, rolls back when it rejects. */
  transaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}

/** The database refused a statement. `sqlState` is the five characters of PostgreSQL's appendix A. */
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
 * of disk, memory or connections. 55P03: a lock was not to be had in time. 57014, 57P: cancelled, or the server is
 * shutting down or starting. 58: its files cannot be read or written.
 */
const OUTAGE = /^(?:08|25006|25P03|53|55P03|57014|57P|58)/;

const RETRY_SECONDS = 2;

/** The database cannot be asked now, through no fault of the statement. */
export function toOutage(message: string, cause: unknown): ServiceError {
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  return new ServiceError('Unavailable', message, { cause, headers });
}

/** The error that stands for a refusal by the database: an outage when it is no fault of the statement. */
export function toDatabaseError(
  message: string,
  facts: { sqlState: string; constraint?: string | undefined },
): DatabaseError | ServiceError {
  const refusal = new DatabaseError(message, facts);
  if (!OUTAGE.test(facts.sqlState)) return refusal;
  return toOutage('The database cannot do this now.', refusal);
}

/** Whether a row was refused because there is one like it (`unique_violation`). */
export function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === '23505';
}
