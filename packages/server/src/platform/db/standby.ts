import type pg from 'pg';
import { ownerOf } from './database.js';
import {
  type ConnectionPoolOptions,
  connect,
  createQuery,
  limitConnections,
  openPool,
  toError,
} from './postgres.js';
import { createStatementNames, type StatementNames } from './statement-names.js';
import { type ReplicaStatus, toStandingSql, type WalPosition } from './wal-position.js';

export interface ReplicaStatement {
  text: string;
  parameters: readonly unknown[];
}

/** `busy`: no connection was free in time. */
export interface PositionedAnswer<Row> {
  standing: ReplicaStatus | 'busy';
  rows?: Row[];
}

export interface Standby {
  /** Returns rows only if the server has already replayed the position. Without a statement, only compares. */
  readFrom<Row>(position: WalPosition, statement?: ReplicaStatement): Promise<PositionedAnswer<Row>>;
  close(): Promise<void>;
}

/** Time limit for the comparison of positions. */
const ANSWER_MS = 500;
/** Time limit of a read. After it, the caller repeats the read on the primary. */
const READ_MS = 10_000;
/** Time limit for opening a connection, and for waiting for a free one. */
const CONNECT_MS = 2_000;

export function openStandby(
  url: string,
  { connections, keepsSession }: Pick<ConnectionPoolOptions, 'connections' | 'keepsSession'>,
): Standby {
  const pool = openPool(url, { connections, keepsSession, connectMs: CONNECT_MS, statementMs: READ_MS });
  const names = keepsSession ? createStatementNames() : undefined;
  const limit = limitConnections({ connections, connectMs: CONNECT_MS });
  return {
    async readFrom<Row>(position: WalPosition, statement?: ReplicaStatement): Promise<PositionedAnswer<Row>> {
      let hasTurn = false;
      const read = async () => {
        hasTurn = true;
        return readWith<Row>(await connect(pool), { position, statement, names });
      };
      try {
        return await limit(ownerOf(statement?.parameters ?? []), read);
      } catch (error) {
        if (hasTurn) throw error;
        return { standing: 'busy' };
      }
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
  // Without a listener, this event would end the process. The next statement reports the failure.
  client.on('error', noteBreak);
  try {
    const standing = await begin(client, position);
    const rows =
      standing === 'there' && statement !== undefined
        ? await createQuery(client, names)<Row>(statement.text, statement.parameters)
        : undefined;
    // Not awaited: the caller needs only the rows.
    client.query('rollback').then(() => release(), release);
    return rows === undefined ? { standing } : { standing, rows };
  } catch (error) {
    release(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

/**
 * A pooler sends all statements of a transaction to the same server. Each statement has its own snapshot, so the read
 * sees everything that was replayed before the comparison.
 */
async function begin(client: pg.PoolClient, position: WalPosition): Promise<ReplicaStatus> {
  const text = `begin isolation level read committed read only; ${toStandingSql(position)}`;
  try {
    // Two statements return two results, which the driver's types do not express.
    const answers: unknown = await client.query({ text, query_timeout: ANSWER_MS } as pg.QueryConfig);
    const [, standing] = answers as pg.QueryResult<{ standing: ReplicaStatus }>[];
    return standing?.rows[0]?.standing ?? 'of another database';
  } catch (error) {
    throw toError(error);
  }
}
