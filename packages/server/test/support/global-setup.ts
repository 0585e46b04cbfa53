import type { TestProject } from 'vitest/node';
import { readConfig } from '../../src/config.js';
import { openDatabases } from '../../src/platform/db/open-databases.js';
import { assertNoneLeft } from './left-processes.js';
import { adoptPostgres, startPostgres } from './postgres.js';
import { createTemplate, databasePrefix, dropDatabases } from './postgres-databases.js';
import { describeMissing, missingPrograms } from './programs.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty in a run without PostgreSQL. */
    postgresUrl: string;
  }
}

/**
 * Starts one PostgreSQL for the run, unless TEST_DATABASE_URL or TEST_CITUS_URL names one. With TEST_POSTGRES=none, the
 * run has no PostgreSQL. With REQUIRE_ALL=1, a missing program of a test is an error.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = missingPrograms();
  if (process.env.REQUIRE_ALL === '1' && missing.length > 0)
    throw new Error(
      `REQUIRE_ALL=1 is set, but these programs are not installed: ${describeMissing(missing)}`,
    );
  if (process.env.TEST_POSTGRES === 'none') {
    project.provide('postgresUrl', '');
    process.stdout.write('PostgreSQL for the tests: none (TEST_POSTGRES=none)\n');
    return async () => assertNoneLeft();
  }
  databasePrefix();
  const given = process.env.TEST_CITUS_URL ?? process.env.TEST_DATABASE_URL;
  const server = given ? await adoptPostgres(given) : await startPostgres();
  project.provide('postgresUrl', server.url);
  await createTemplate(server, async (url) => {
    const { store } = readConfig({ DATABASE_URL: url });
    if (store.kind === 'memory') throw new Error('DATABASE_URL names no database');
    const databases = await openDatabases(store);
    await databases.close();
  });
  process.stdout.write(`PostgreSQL for the tests: ${server.version} (${server.source})\n`);
  return async () => {
    if (given) await dropDatabases(server);
    await server.stop();
    assertNoneLeft();
  };
}
