import { ServiceError } from '../../errors.js';
import type { FairLimitCounts } from '../work/limit-concurrency.js';

/** Runs SQL in the dialect of PostgreSQL 15. Parameters are $1, $2, ... */
export interface Queryable {
  /**
   * Runs one statement. Pass `jsonb` parameters as text. Throws DatabaseError when the database rejects the statement,
   * and ServiceError `Unavailable` during an outage. When `signal` aborts, PostgreSQL cancels the statement, and the
   * query throws the reason of `signal`. The embedded engine finishes a running statement. A replica and Supabase
   * ignore `signal`.
   */
  query<Row>(text: string, parameters?: readonly unknown[], signal?: AbortSignal): Promise<Row[]>;
  /** Whether the rows of several projects are on several servers (Citus). */
  readonly isDistributed?: boolean;
}

/** Passes `signal` to every statement, and starts no statement after it has aborted. */
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

export interface Tx extends Queryable {
  readonly [insideTransaction]: true;
  /** Runs several statements without parameters. */
  exec(sql: string): Promise<void>;
}

const PROJECT_ID = /^[\da-f]{8}-[\da-f-]{27}$/;

/** Returns the project of a statement, which is its first parameter. Empty if this parameter is not a UUID. */
export function projectOf([first]: readonly unknown[]): string {
  return typeof first === 'string' && PROJECT_ID.test(first) ? first : '';
}

const OWNER = Symbol('owner of the turn of a statement');

interface OwnedParameters extends ReadonlyArray<unknown> {
  readonly [OWNER]?: string;
}

/**
 * Owners take turns at the database connections. Use this for a statement without a project, whose cost depends on a
 * caller. A caller must not be able to choose the owner freely, because many invented owners would get many turns.
 */
export function inTurnOf(owner: string, parameters: readonly unknown[]): readonly unknown[] {
  return Object.assign([...parameters], { [OWNER]: owner });
}

/** Returns a database whose statements all wait in the turns of `owner`, even a statement that names another owner. */
export function inTurnsOf(owner: string, db: Queryable): Queryable {
  return { query: (text, parameters = [], signal) => db.query(text, inTurnOf(owner, parameters), signal) };
}

/** Returns the owner from `inTurnOf`, otherwise the project of the statement. Empty if it has neither. */
export function ownerOf(parameters: OwnedParameters): string {
  return parameters[OWNER] ?? projectOf(parameters);
}

/** Marks a session that has begun a transaction. For adapters only. */
export function toTx(session: Pick<Tx, 'query' | 'exec'>): Tx {
  return { ...session, [insideTransaction]: true };
}

/**
 * `projectId` is the owner of the transaction's turn: in the control plane also an organisation or a user. After
 * `signal` has aborted, no transaction begins. PostgreSQL cancels a running one, and the other engines finish it.
 */
export interface TransactionOptions {
  projectId: string;
  signal?: AbortSignal | undefined;
}

/** A committed write is on stable storage, except in a database in memory. */
export interface Database extends Queryable {
  readonly engine: 'pglite' | 'postgresql' | 'supabase';
  /** Commits when `run` resolves, and rolls back when it rejects. */
  transaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Counts the statements and transactions at the connection pool. Absent without a pool. */
  connections?(): FairLimitCounts;
  close(): Promise<void>;
}

/** The database rejected a statement. `sqlState` is the error code (PostgreSQL's appendix A). */
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

/** A new session finds the records on a Citus cluster, but its pool was opened for a single server. */
export class NowDistributedError extends Error {}

/**
 * 08: the connection failed. 25006: read-only node. 25P03: idle transaction. 53: no disk space, memory or connections.
 * 55P03: lock timeout. 57014, 57P: cancelled, or the server stops or starts. 58: the server cannot use its files.
 */
const OUTAGE = /^(?:08|25006|25P03|53|55P03|57014|57P|58)/;

const RETRY_SECONDS = 2;

export function toOutage(message: string, cause: unknown): ServiceError {
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  return new ServiceError('Unavailable', message, { cause, headers });
}

/** Returns `Unavailable` when the code means an outage. */
export function toDatabaseError(
  message: string,
  facts: { sqlState: string; constraint?: string | undefined },
): DatabaseError | ServiceError {
  const refusal = new DatabaseError(message, facts);
  if (!OUTAGE.test(facts.sqlState)) return refusal;
  return toOutage('The database cannot run the statement at the moment. Try again later.', refusal);
}

/** SQLSTATE 23505 is `unique_violation`. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === '23505';
}
