import { createHash } from 'node:crypto';
import { type Database, DatabaseError, projectOf, type Queryable } from '../database.js';
import { toParameterText } from '../parameter-text.js';
import { UNNAMED } from '../unnamed-statement.js';
import { LOCAL_TABLES, REFERENCE_TABLES } from './tables.js';

const RUN = 'select answer from provenance.run_on_shard($1, $2, $3, $4) as answer';

/**
 * Sends each statement of one project to the node with the rows of the project. A routed statement returns values as
 * JSON has them: bytes and times are texts.
 */
export function routeStatements(db: Database): Database {
  const names = createNames();
  return {
    ...db,
    isDistributed: true,
    query: async (text, parameters, signal) => {
      const query = routeQuery(db.query, names);
      try {
        return await query(text, parameters, signal);
      } catch (error) {
        if (!isStale(error)) throw error;
        names.renew(text);
        return query(text, parameters, signal);
      }
    },
    transaction: (run, options) =>
      db.transaction(
        (tx) => run({ ...tx, isDistributed: true, query: routeQuery(tx.query, names) }),
        options,
      ),
  };
}

/** Whether a table changed after a node prepared the statement. The caller must then repeat its transaction. */
function isStale(error: unknown): boolean {
  return (
    error instanceof DatabaseError && error.sqlState === '0A000' && /cached plan must not/.test(error.message)
  );
}

/** `run_on_shard` prepares a statement with this name again for each call. */
const NO_NAME = 'unnamed';

function routeQuery(query: Queryable['query'], names: Names): Queryable['query'] {
  return async <Row>(text: string, parameters: readonly unknown[] = [], signal?: AbortSignal) => {
    if (!isOfOneProject(text, parameters)) return query<Row>(text, parameters, signal);
    const values = parameters.map(toParameterText);
    const given = text.startsWith(UNNAMED)
      ? [parameters[0], NO_NAME, text.slice(UNNAMED.length), values]
      : [parameters[0], names.nameOf(text), text, values];
    const rows = await query<{ answer: string }>(RUN, given, signal);
    return rows.map(({ answer }) => JSON.parse(answer) as Row);
  };
}

/** Matches a condition on the project, an insert of a row of the project, or a call of a function for the project. */
const NAMES_PROJECT =
  /project_id = \$1|insert into provenance\.\w+(?: as \w+)?\s*\(project_id[^)]*\)\s*(?:select|values \()\s*\$1\b|provenance\.\w+\(\$1\b/;
const OF_COORDINATOR = new RegExp(`provenance\\.(?:${LOCAL_TABLES.join('|')})\\b`);
const WRITES_REFERENCE = new RegExp(
  `(?:insert into|update|delete from) provenance\\.(?:${REFERENCE_TABLES.join('|')})\\b`,
);

/** Whether the first parameter is the project of all rows that the statement reads and writes. */
export function isOfOneProject(text: string, parameters: readonly unknown[]): boolean {
  if (!text.includes('provenance.') || projectOf(parameters) === '') return false;
  return NAMES_PROJECT.test(text) && !OF_COORDINATOR.test(text) && !WRITES_REFERENCE.test(text);
}

interface Names {
  nameOf(text: string): string;
  /** Gives the text another name, so that the nodes prepare it again. */
  renew(text: string): void;
}

/** Maximum number of texts whose names are stored. */
const MAX_NAMES = 2_000;

/** A name is a hash of the text, so it means the same statement in all processes that share a connection to a node. */
function createNames(): Names {
  const names = new Map<string, string>();
  let renewals = 0;
  const toName = (text: string) =>
    createHash('sha256').update(`${renewals} ${text}`).digest('hex').slice(0, 24);
  const store = (text: string) => {
    if (names.size >= MAX_NAMES) names.clear();
    const name = toName(text);
    names.set(text, name);
    return name;
  };
  return {
    nameOf: (text) => names.get(text) ?? store(text),
    renew(text) {
      renewals++;
      store(text);
    },
  };
}
