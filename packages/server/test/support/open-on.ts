import { inject } from 'vitest';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { createMigratedDatabase } from './postgres.js';

/** Opens databases without records: in the tests' PostgreSQL for the engine `PostgreSQL`, in memory for any other name. */
export async function openOn(engine: string): Promise<Databases> {
  if (engine !== 'PostgreSQL') return openDatabases({ kind: 'memory' });
  const url = await createMigratedDatabase(inject('postgresUrl'));
  return openDatabases({ kind: 'postgresql', url, directUrl: undefined });
}
