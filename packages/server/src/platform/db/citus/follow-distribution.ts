import { type Database, NowDistributedError } from '../database.js';

/**
 * Uses `plain` until the check of a new session throws NowDistributedError. From then on, uses the database that
 * `openCluster` opens. Repeats the failed call on this database.
 */
export function followDistribution(plain: Database, openCluster: () => Database): Database {
  let cluster: Database | undefined;
  const run = async <T>(act: (db: Database) => Promise<T>): Promise<T> => {
    if (cluster !== undefined) return act(cluster);
    try {
      return await act(plain);
    } catch (error) {
      if (!(error instanceof NowDistributedError)) throw error;
      cluster ??= openCluster();
      return act(cluster);
    }
  };
  const { connections: counts = () => ({ running: 0, waiting: 0, refused: 0 }) } = plain;
  return {
    engine: plain.engine,
    get isDistributed() {
      return cluster !== undefined;
    },
    query: (text, parameters, signal) => run((db) => db.query(text, parameters, signal)),
    transaction: (work, options) => run((db) => db.transaction(work, options)),
    connections: () => cluster?.connections?.() ?? counts(),
    async close() {
      await plain.close();
      await cluster?.close();
    },
  };
}
