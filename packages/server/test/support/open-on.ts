import { inject } from 'vitest';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { createMigratedDatabase } from './postgres.js';
import { ANY_ENGINE } from './service.js';

/**
 * Opens databases in the PostgreSQL of the tests for the engine `PostgreSQL`, and for `ANY_ENGINE` in a run with
 * PostgreSQL. In all other cases, opens databases in memory.
 */
export async function openOn(engine: string): Promise<Databases> {
  const server = inject('postgresUrl');
  const usesServer = engine === 'PostgreSQL' || (engine === ANY_ENGINE && server !== '');
  if (!usesServer) return openDatabases({ kind: 'memory' });
  const url = await createMigratedDatabase(server);
  return openDatabases({ kind: 'postgresql', url, directUrl: undefined });
}
