import pg from 'pg';
import { ServiceError } from '../errors.js';
import {
  type Database,
  DatabaseError,
  type Queryable,
  type Tx,
  toDatabaseError,
  toOutage,
  toTx,
} from './database.js';

const INT8 = 20;
/** Connections per process; PostgreSQL's own default allows 100 in all. */
const MAX_CONNECTIONS = 10;
/** Long for any statement of a request; a connection that is silent for longer is given up. */
const STATEMENT_MS = 60_000;
const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

/** How many connections there are at most, and how long one, and the answer to a statement (0: for ever), may take. */
export interface PoolTerms {
  connections: number;
  connectMs: number;
  statementMs: number;
}

/**
 * Opens a pool on a PostgreSQL >= 15. Connects at the first statement. No statement is named and no session
 * state is kept, so the address may be a transaction pooler's. A statement that is not answered in time is
 * `Unavailable`, and its connection dropped.
 */
export function openPostgres(url: string, terms: Partial<PoolTerms> = {}): Database {
  const pool = openPool(url, {
    connections: MAX_CONNECTIONS,
    connectMs: CONNECT_MS,
    statementMs: STATEMENT_MS,
    ...terms,
  });
  return {
    engine: 'postgresql',
    query: createQuery(pool),
    transaction: (run) => runTransaction(pool, run),
    close: () => pool.end(),
  };
}

/** For adapters alone. */
export function openPool(url: string, { connections, connectMs, statementMs }: PoolTerms): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: typeParser },
  });
  // An idle connection that breaks is replaced by the pool at the next statement, which reports an outage.
  pool.on('error', () => {});
  return pool;
}

const typeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

/** For adapters alone. */
export function createQuery(client: pg.Pool | pg.PoolClient): Queryable['query'] {
  return async (text, parameters = []) => {
    try {
      return (await client.query(text, [...parameters])).rows;
    } catch (error) {
      throw toError(error);
    }
  };
}

async function runTransaction<T>(pool: pg.Pool, run: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  const query = createQuery(client);
  const tx = toTx({ query, exec: async (sql) => void (await query(sql)) });
  let broken: Error | undefined;
  // Told of a connection that breaks between two statements; the next one reports it.
  const noteBreak = (error: Error) => {
    broken = error;
  };
  client.on('error', noteBreak);
  try {
    await tx.exec('begin isolation level read committed');
    const result = await run(tx);
    await tx.exec('commit');
    return result;
  } catch (error) {
    broken ??= isSilent(error) ? error : await rollBack(tx);
    throw error;
  } finally {
    client.off('error', noteBreak);
    client.release(broken);
  }
}

/** Whether the connection, not the database, is at fault: a rollback would get no answer either. */
function isSilent(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError && error.code === 'Unavailable' && !(error.cause instanceof DatabaseError)
  );
}

/** Rolls back; a connection that cannot even do that is reported, so that the pool drops it. */
async function rollBack(tx: Tx): Promise<Error | undefined> {
  try {
    await tx.exec('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** For adapters alone. */
export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw toError(error);
  }
}

/** For adapters alone: what a refusal of the driver or the server stands for. */
export function toError(error: unknown): Error {
  if (error instanceof pg.DatabaseError && error.code !== undefined) {
    return toDatabaseError(error.message, { sqlState: error.code, constraint: error.constraint });
  }
  return toOutage('The database cannot be reached.', error);
}
