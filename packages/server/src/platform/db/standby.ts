import type pg from 'pg';
import { type ConnectionPoolOptions, connect, createQuery, openPool, toError } from './postgres.js';
import { createStatementNames, type StatementNames } from './statement-names.js';
import { type ReplicaStatus, toStandingSql, type WalPosition } from './wal-position.js';

/** One statement and its parameters. */
export interface ReplicaStatement {
  text: string;
  parameters: readonly unknown[];
}

/** `busy`: no connection became free in time, which says nothing of the server. */
export interface PositionedAnswer<Row> {
  standing: ReplicaStatus | 'busy';
  rows?: Row[];
}

/** A server that replays the log of another, and answers reads meanwhile. */
export interface Standby {
  /** Rows of a moment that is not before the position; without them when the server is not there. Never waits for it. */
  readFrom<Row>(position: WalPosition, statement?: ReplicaStatement): Promise<PositionedAnswer<Row>>;
  close(): Promise<void>;
}

/** A server that is asked where it is and does not answer for so long is away. */
const ANSWER_MS = 500;
/** Long for a read; the primary does it again after that. */
const READ_MS = 10_000;
/** For a connection, new or free. */
const CONNECT_MS = 2_000;

/** Opens a pool on a standby; connects at the first read. */
export function openStandby(
  url: string,
  { connections, keepsSession }: Pick<ConnectionPoolOptions, 'connections' | 'keepsSession'>,
): Standby {
  const pool = openPool(url, { connections, keepsSession, connectMs: CONNECT_MS, statementMs: READ_MS });
  const names = keepsSession ? createStatementNames() : undefined;
  const isFull = () => pool.totalCount === connections && pool.idleCount === 0;
  return {
    async readFrom<Row>(position: WalPosition, statement?: ReplicaStatement): Promise<PositionedAnswer<Row>> {
      const mayQueue = isFull();
      let client: pg.PoolClient;
      try {
        client = await connect(pool);
      } catch (error) {
        if (mayQueue && isFull()) return { standing: 'busy' };
        throw error;
      }
      return readWith<Row>(client, { position, statement, names });
    },
    close: () => pool.end(),
  };
}

interface ReplicaReading {
  position: WalPosition;
  statement: ReplicaStatement | undefined;
  names: StatementNames | undefined;
}

async function readWith<Row>(
  client: pg.PoolClient,
  { position, statement, names }: ReplicaReading,
): Promise<PositionedAnswer<Row>> {
  let broken: Error | undefined;
  const noteBreak = (error: Error) => {
    broken = error;
  };
  const release = (error?: Error) => {
    client.off('error', noteBreak);
    client.release(error ?? broken);
  };
  // Told of by the statement that meets it.
  client.on('error', noteBreak);
  try {
    const standing = await begin(client, position);
    const rows =
      standing === 'there' && statement !== undefined
        ? await createQuery(client, names)<Row>(statement.text, statement.parameters)
        : undefined;
    // Nobody waits for that.
    client.query('rollback').then(() => release(), release);
    return rows === undefined ? { standing } : { standing, rows };
  } catch (error) {
    release(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

/**
 * One round trip. In a transaction, so that a pooler in between sends what follows to the same server; each statement
 * in it has a snapshot of its own, so that a read sees what had been replayed when the server said where it was.
 */
async function begin(client: pg.PoolClient, position: WalPosition): Promise<ReplicaStatus> {
  const text = `begin isolation level read committed read only; ${toStandingSql(position)}`;
  try {
    // Two statements have two answers, which the driver's types do not know.
    const answers: unknown = await client.query({ text, query_timeout: ANSWER_MS } as pg.QueryConfig);
    const [, standing] = answers as pg.QueryResult<{ standing: ReplicaStatus }>[];
    return standing?.rows[0]?.standing ?? 'of another database';
  } catch (error) {
    throw toError(error);
  }
}
