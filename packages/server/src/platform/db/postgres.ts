import pg from 'pg';
import { ServiceError } from '../../errors.js';
import { createFairLimit } from '../work/limit-concurrency.js';
import {
  type Database,
  DatabaseError,
  NowDistributedError,
  ownerOf,
  type Queryable,
  type Tx,
  toDatabaseError,
  toOutage,
  toTx,
  untilAborted,
} from './database.js';
import { createStatementNames, type StatementNames } from './statement-names.js';

const INT8 = 20;
const TEXT_ARRAY: number = 1009;
const UUID_ARRAY: number = 2951;
/** Default number of connections of one process. By default PostgreSQL allows 100 for all clients. */
export const DEFAULT_CONNECTIONS = 10;
/** Share of the connections that one project can have. */
const SHARE_OF_PROJECT = 0.7;
/** Time limit of a statement. After it, the connection closes. */
const STATEMENT_MS = 60_000;
const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;
/** Time after which the pool closes an idle connection with its prepared statements. */
const IDLE_MS = 60_000;
/** Generic plans: PostgreSQL plans each statement once per connection, also inside functions. */
const SESSION_SETTINGS = 'set plan_cache_mode = force_generic_plan; set jit = off';
/** The coordinator of Citus needs the values of the parameters to choose a node. */
const CLUSTER_SETTINGS = 'set plan_cache_mode = auto; set jit = off';

/** `statementMs: 0` means no limit. */
export interface ConnectionPoolOptions {
  connections: number;
  connectMs: number;
  statementMs: number;
  /** False behind a transaction pooler, which may lose the settings and prepared statements of a connection. */
  keepsSession: boolean;
  /** Whether the server is the coordinator of a Citus cluster. */
  isCluster?: boolean;
  /** Name of the sessions in `pg_stat_activity`. PGAPPNAME or an `application_name` in the URL replaces it. */
  applicationName?: string | undefined;
  /** Called for each new session before its first statement. The statement rejects with the error of this function. */
  checkSession?: ((session: Queryable) => Promise<void>) | undefined;
}

/** `report` is called when prepared statements are lost although `keepsSession` is true. */
export type PostgresOptions = Partial<ConnectionPoolOptions> & {
  report?: ((error: Error) => void) | undefined;
};

/**
 * Opens a connection pool to PostgreSQL 15 or later. After its time limit, a statement throws `Unavailable` and its
 * connection closes. In a pool of two or more connections, one project never has all of them.
 */
export function openPostgres(url: string, { report, ...options }: PostgresOptions = {}): Database {
  const all = {
    connections: DEFAULT_CONNECTIONS,
    connectMs: CONNECT_MS,
    statementMs: STATEMENT_MS,
    keepsSession: true,
    ...options,
  };
  const pool = openPool(url, all);
  const names = all.keepsSession ? createStatementNames(report) : undefined;
  const limit = limitConnections(all);
  const query = createPooledQuery(pool, names);
  return {
    engine: 'postgresql',
    query: (text, parameters = [], signal) =>
      limit(ownerOf(parameters), () => query(text, parameters, signal), signal),
    transaction(run, options) {
      const begin = () => runTransaction(pool, { names, signal: options?.signal }, run);
      return limit(options?.projectId ?? '', begin, options?.signal);
    },
    connections: limit.counts,
    close: () => pool.end(),
  };
}

/** Only adapters use this function. */
export function limitConnections({
  connections,
  connectMs,
}: Pick<ConnectionPoolOptions, 'connections' | 'connectMs'>) {
  return createFairLimit({
    atOnce: connections,
    atOnceOfOne: Math.max(1, Math.floor(connections * SHARE_OF_PROJECT)),
    maxWaitMs: connectMs,
    message: `No connection to the database was free within ${connectMs} ms (DATABASE_CONNECTIONS).`,
  });
}

/** Only adapters use this function. */
export function openPool(url: string, options: ConnectionPoolOptions): pg.Pool {
  const { checkSession } = options;
  const pool = new pg.Pool({
    connectionString: url,
    ...(options.applicationName === undefined ? {} : { fallback_application_name: options.applicationName }),
    max: options.connections,
    connectionTimeoutMillis: options.connectMs,
    query_timeout: options.statementMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: typeParser },
    ...(checkSession === undefined
      ? {}
      : { onConnect: (client: pg.ClientBase) => checkInTime(client, options.connectMs, checkSession) }),
  });
  // The pool replaces an idle connection that fails. If it cannot, the next statement reports the outage.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // The running statement reports the failure of its connection.
    client.on('error', () => {});
    // The pool sends the settings before the first statement, and does not await them. A failure costs only speed.
    if (options.keepsSession) client.query(options.isCluster ? CLUSTER_SETTINGS : SESSION_SETTINGS, () => {});
  });
  return pool;
}

/** The pool treats an outage during the check as a failed connect. */
function checkInTime(
  client: pg.ClientBase,
  timeoutMs: number,
  check: (session: Queryable) => Promise<void>,
): Promise<void> {
  return check({
    query: async (text) => {
      const limited: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: timeoutMs };
      return (await client.query(limited)).rows;
    },
  });
}

const typeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8) return Number;
  return oid === TEXT_ARRAY || oid === UUID_ARRAY ? parseArray : pg.types.getTypeParser(oid, format);
}) as typeof pg.types.getTypeParser;

const parseTextArray: (text: string) => unknown = pg.types.getTypeParser(TEXT_ARRAY);

/** Splits an array without quotes, nesting or NULL. Other arrays need the slow parser of the driver. */
function parseArray(text: string): unknown {
  if (!/^\{[^{"\\]+\}$/.test(text) || /\bnull\b/i.test(text)) return parseTextArray(text);
  return text.slice(1, -1).split(',');
}

function createPooledQuery(pool: pg.Pool, names: StatementNames | undefined): Queryable['query'] {
  return async <Row>(
    text: string,
    parameters: readonly unknown[] = [],
    signal?: AbortSignal,
  ): Promise<Row[]> => {
    const client = await connect(pool);
    const name = names?.nameOf(text);
    let broken: Error | undefined;
    const cancelling = cancelAfterAbort(client, signal);
    try {
      signal?.throwIfAborted();
      return await ask<Row>(client, { text, parameters, name }).catch((error: unknown) => {
        if (name === undefined || !names?.isAtFault(text, error)) throw error;
        return ask<Row>(client, { text, parameters });
      });
    } catch (cause) {
      const error = toError(cause);
      if (cause !== signal?.reason && !isRefusal(cause)) broken = error;
      signal?.throwIfAborted();
      throw error;
    } finally {
      cancelling.end();
      client.release(cancelling.isSent() ? CANCELLED : broken);
    }
  };
}

/** Most statements end within this time. */
const CANCEL_AFTER_MS = 250;

/**
 * Cancels a statement that still runs some time after the abort. The pool must close the connection of a cancelled
 * statement, and open a new one.
 */
function cancelAfterAbort(client: pg.PoolClient, signal: AbortSignal | undefined) {
  let isSent = false;
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    isSent = true;
    sendCancel(client);
  };
  const wait = () => {
    timer = setTimeout(send, CANCEL_AFTER_MS);
  };
  signal?.addEventListener('abort', wait, { once: true });
  return {
    isSent: () => isSent,
    end() {
      signal?.removeEventListener('abort', wait);
      clearTimeout(timer);
    },
  };
}

/** Makes the pool close a connection, because a late cancel request could cancel the next statement on it. */
const CANCELLED = new Error('The statement was cancelled');

/**
 * Sends a `CancelRequest` (protocol 3.0) on a second connection, which servers accept without TLS. Ignores failures,
 * since no caller waits for the statement.
 */
function sendCancel(client: pg.PoolClient): void {
  const { host, port, processID, secretKey } = client as pg.PoolClient & PostgresSession;
  // The server closes this connection. PgBouncer 1.18 exits when the client closes it first.
  const connection = new pg.Connection() as pg.Connection & CancelConnection;
  connection.on('error', () => {});
  connection.on('connect', () => connection.cancel(processID, secretKey));
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}

/** Members of the driver's client that its types lack. */
interface PostgresSession {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
}

/** Members of the driver's connection that its types lack. */
interface CancelConnection {
  connect(portOrPath: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
}

/** Only adapters use this function. Throws `Unavailable` if a prepared statement has become unusable. */
export function createQuery(client: pg.PoolClient, names?: StatementNames): Queryable['query'] {
  return async (text, parameters = []) => {
    const name = names?.nameOf(text);
    try {
      return await ask(client, { text, parameters, name });
    } catch (error) {
      if (name === undefined || !names?.isAtFault(text, error)) throw toError(error);
      throw toOutage('A prepared statement must be prepared again.', error);
    }
  };
}

interface Question {
  text: string;
  parameters: readonly unknown[];
  name?: string | undefined;
}

async function ask<Row>(client: pg.PoolClient, { text, parameters, name }: Question): Promise<Row[]> {
  // The driver does not change the parameters.
  return (await client.query({ text, values: parameters as unknown[], name })).rows;
}

/** The server closes the connection after codes that begin with 57P, and a pooler after codes of class 08. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && !/^(?:08|57P)/.test(error.code);
}

async function runTransaction<T>(
  pool: pg.Pool,
  { names, signal }: { names: StatementNames | undefined; signal: AbortSignal | undefined },
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await connect(pool);
  const runScript = createQuery(client);
  const { query } = untilAborted({ query: createQuery(client, names) }, signal);
  const tx = toTx({ query, exec: async (sql) => void (await runScript(sql)) });
  let broken: Error | undefined;
  // If the connection fails between two statements, the next statement reports it.
  const noteBreak = (error: Error) => {
    broken = error;
  };
  client.on('error', noteBreak);
  const cancelling = cancelAfterAbort(client, signal);
  try {
    await tx.exec('begin isolation level read committed');
    // The signal can have aborted before the listener was added.
    signal?.throwIfAborted();
    const result = await run(tx);
    signal?.throwIfAborted();
    await tx.exec('commit');
    return result;
  } catch (error) {
    // The cancel request could hit the rollback.
    if (!cancelling.isSent()) broken ??= await describeBreak(tx, error);
    signal?.throwIfAborted();
    throw error;
  } finally {
    cancelling.end();
    client.off('error', noteBreak);
    client.release(cancelling.isSent() ? CANCELLED : broken);
  }
}

/** Returns why the pool must close the connection; undefined to keep it. */
async function describeBreak(tx: Tx, error: unknown): Promise<Error | undefined> {
  return isSilent(error) ? error : rollBack(tx);
}

/** Whether the connection failed, and not the statement. A rollback on this connection would get no response either. */
function isSilent(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError && error.code === 'Unavailable' && !(error.cause instanceof DatabaseError)
  );
}

async function rollBack(tx: Tx): Promise<Error | undefined> {
  try {
    await tx.exec('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw toError(error);
  }
}

export function toError(error: unknown): Error {
  if (error instanceof NowDistributedError) return error;
  if (error instanceof pg.DatabaseError && error.code !== undefined) {
    return toDatabaseError(error.message, { sqlState: error.code, constraint: error.constraint });
  }
  return toOutage('The database cannot be reached.', error);
}
