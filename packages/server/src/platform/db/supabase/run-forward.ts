import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type Queryable, type Tx, toOutage, toTx } from '../database.js';
import { toParameterText } from '../parameter-text.js';

export interface RestStatement {
  text: string;
  values: (string | null)[];
}

/** Calls `colophon_run` in `door.sql`, which runs the statements in one transaction. */
export type RunStatements = (
  statements: readonly RestStatement[],
  options: { seen: readonly string[]; keep: boolean },
) => Promise<{ rows: unknown[]; digests: string[] }>;

const MAX_TRIES = 8;
const PAUSE_MS = 100;

export function toStatement(text: string, parameters: readonly unknown[] = []): RestStatement {
  return { text, values: parameters.map(toParameterText) };
}

/**
 * Runs a transaction over REST, where every call is a separate transaction. For each new statement, a call sends all
 * earlier statements and the new one, and rolls back. The last call commits if each statement returns the same rows as
 * before. Otherwise `run` starts again. After 8 attempts, throws `Unavailable`.
 */
export async function runForward<T>(runStatements: RunStatements, run: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(runStatements, run);
    } catch (error) {
      if (!wasOvertaken(error)) throw error;
      if (tries === MAX_TRIES) {
        throw toOutage(`Other requests changed the same records during all ${MAX_TRIES} attempts.`, error);
      }
      await sleep(Math.random() * PAUSE_MS * tries);
    }
  }
}

async function runOnce<T>(runStatements: RunStatements, run: (tx: Tx) => Promise<T>): Promise<T> {
  const statements: RestStatement[] = [];
  const seen: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (statement: RestStatement) => {
    statements.push(statement);
    const { rows, digests } = await runStatements(statements, { seen, keep: false });
    seen.push(digests.at(-1) ?? '');
    return rows;
  };
  const query: Queryable['query'] = async <Row>(text: string, parameters?: readonly unknown[]) => {
    const statement = toStatement(text, parameters);
    // Statements run one after the other, as on a database connection.
    const answer = last.then(() => ask(statement));
    last = answer;
    return (await answer) as Row[];
  };
  const exec = () =>
    Promise.reject(
      new Error('exec() is not available with Supabase: use query(), which sends one statement'),
    );
  const result = await run(toTx({ query, exec }));
  if (statements.length > 0) await runStatements(statements, { seen, keep: true });
  return result;
}

/** SQLSTATE class 40 means a conflict with another transaction. */
function wasOvertaken(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState.startsWith('40');
}
