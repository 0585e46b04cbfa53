import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { PostgresServer } from './postgres.js';

/** Creates an empty database and returns its URL. The end of the test run drops it. */
export function createDatabase(server: string | Pick<PostgresServer, 'url'>, name?: string): Promise<string> {
  return copyDatabase(server, 'template0', name);
}

/** Creates a database with the present schema, which is faster than a start on an empty one. */
export function createMigratedDatabase(server: string): Promise<string> {
  return copyDatabase(server, templateName());
}

/** Creates the database that `createMigratedDatabase` copies. */
export async function createTemplate(
  server: Pick<PostgresServer, 'url'>,
  migrate: (url: string) => Promise<void>,
): Promise<void> {
  const url = new URL(server.url);
  await runSql(server.url, `create database "${templateName()}" template template0 encoding 'UTF8'`);
  url.pathname = `/${templateName()}`;
  await migrate(url.href);
}

const templateName = () => `${databasePrefix()}template`;

async function copyDatabase(
  server: string | Pick<PostgresServer, 'url'>,
  template: string,
  name = 'test',
): Promise<string> {
  const url = new URL(typeof server === 'string' ? server : server.url);
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 25);
  const database = `${databasePrefix()}${plain}_${randomBytes(4).toString('hex')}`;
  await runSql(url.href, `create database "${database}" template "${template}" encoding 'UTF8'`);
  url.pathname = `/${database}`;
  return url.href;
}

/** Drops every database of this test run. */
export async function dropDatabases(server: Pick<PostgresServer, 'url'>): Promise<void> {
  const pattern = `${databasePrefix().replaceAll('_', '\\_')}%`;
  const rows = await runSql(server.url, 'select datname from pg_database where datname like $1', [pattern]);
  for (const { datname } of rows)
    await runSql(server.url, `drop database if exists "${datname}" with (force)`);
}

/** The prefix of one test run, which the workers inherit. */
export function databasePrefix(): string {
  process.env.COLOPHON_TEST_RUN ??= randomBytes(4).toString('hex');
  return `colophon_test_${process.env.COLOPHON_TEST_RUN}_`;
}

/** Returns the version, for example `15.14`. */
export async function readVersion(url: string): Promise<string> {
  const [row] = await runSql(url, 'show server_version');
  return String(row?.server_version);
}

/** Runs one statement on a new connection. */
export async function runSql(url: string, text: string, parameters: string[] = []) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A broken connection fails its query; between queries it does not matter.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, parameters)).rows;
  } finally {
    await client.end();
  }
}
