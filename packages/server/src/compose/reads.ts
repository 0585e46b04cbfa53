import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Readiness } from '../http/app.js';
import type { Database, Queryable } from '../platform/db/database.js';
import { openReplica, type Replica } from '../platform/db/replica.js';
import { traceQuery } from '../platform/db/trace-database.js';

export interface OpenReads {
  reads: Queryable;
  served: Replica['served'] | undefined;
  readiness: Readiness;
  close(): Promise<void>;
}

/** Reads records from the replica of DATABASE_REPLICA_URL while it is up to date, else from the primary. */
export function openReads({ store, tracing }: Config, provenance: Database, logger: Logger): OpenReads {
  if (store.kind !== 'postgresql' || store.replicaUrl === undefined)
    return { reads: provenance, served: undefined, readiness: {}, close: async () => {} };
  const replica = openReplica(
    {
      primaryUrl: store.url,
      replicaUrl: store.replicaUrl,
      transactionPooler: store.transactionPooler,
      connections: store.connections,
      maxStalenessMs: store.replicaStalenessMs,
      onChange(trouble) {
        if (trouble === undefined) logger.info('records are read from DATABASE_REPLICA_URL');
        else logger.warn({ trouble }, 'records are read from DATABASE_URL alone, not from its replica');
      },
    },
    provenance,
  );
  const { trouble } = replica;
  return {
    reads: tracing === undefined ? replica.reads : { query: traceQuery(replica.reads.query) },
    served: replica.served,
    readiness: {
      replica: async () => {
        const said = trouble();
        return said === undefined ? 'ok' : `impaired: ${said}; DATABASE_URL answers`;
      },
    },
    close: replica.close,
  };
}
