import { SpanKind } from '@opentelemetry/api';
import { inSpanBelow } from '../tracing/in-span.js';
import type { Database, Queryable } from './database.js';

/** The texts of queries contain no values, because values are parameters. */
export function traceDatabase(db: Database): Database {
  return {
    ...db,
    // The records can move to a cluster while the service runs.
    get isDistributed() {
      return db.isDistributed === true;
    },
    query: traceQuery(db.query),
    transaction: (run, options) =>
      inSpanBelow('transaction', DATABASE, () =>
        db.transaction((tx) => run({ ...tx, query: traceQuery(tx.query) }), options),
      ),
  };
}

const SYSTEM = { 'db.system.name': 'postgresql' };
const DATABASE = { kind: SpanKind.CLIENT, attributes: SYSTEM };

export function traceQuery(query: Queryable['query']): Queryable['query'] {
  return (text, parameters, signal) => {
    const operation = /^\s*(\w+)/.exec(text)?.[1] ?? 'query';
    const attributes = { ...SYSTEM, 'db.operation.name': operation, 'db.query.text': text };
    return inSpanBelow(operation, { kind: SpanKind.CLIENT, attributes }, () =>
      query(text, parameters, signal),
    );
  };
}
