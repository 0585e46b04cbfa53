import { randomBytes } from 'node:crypto';
import { isOnCluster, joinNodes, runOnNodes, sealTemplate } from './citus-databases.js';
import type { PostgresServer } from './postgres.js';
import { runSql } from './run-sql.js';

export { runSql };

/**
 * The end of the test run deletes the database. It is empty, except on a cluster: there, it has the present schema, and
 * the tables of the records are distributed.
 */
export function createDatabase(server: string | Pick<PostgresServer, 'url'>, name?: string): Promise<string> {
  return copyDatabase(server, isOnCluster() ? templateName() : 'template0', name);
}

/** Creates a database without tables, on a cluster too. */
export async function createEmptyDatabase(server: string): Promise<string> {
  return copyDatabase(server, 'template0');
}

/** Has the present schema, so a service starts faster than on an empty database. */
export function createMigratedDatabase(server: string, name?: string): Promise<string> {
  return copyDatabase(server, templateName(), name);
}

/** `createMigratedDatabase` copies this database. */
export async function createTemplate(
  server: Pick<PostgresServer, 'url'>,
  migrate: (url: string) => Promise<void>,
): Promise<void> {
  const url = new URL(server.url);
  const create = `create database "${templateName()}" template template0 encoding 'UTF8'`;
  await runOnNodes(server.url, create);
  url.pathname = `/${templateName()}`;
  if (isOnCluster()) await joinNodes(url.href);
  await migrate(url.href);
  if (isOnCluster()) await sealTemplate(url.href);
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
  const create = `create database "${database}" template "${template}" encoding 'UTF8'`;
  await runOnNodes(url.href, create);
  url.pathname = `/${database}`;
  return url.href;
}

export async function dropDatabases(server: Pick<PostgresServer, 'url'>): Promise<void> {
  const pattern = `${databasePrefix().replaceAll('_', '\\_')}%`;
  const rows = await runSql(server.url, 'select datname from pg_database where datname like $1', [pattern]);
  for (const { datname } of rows)
    await runOnNodes(server.url, `drop database if exists "${datname}" with (force)`);
}

/** Workers inherit the random part in the environment. */
export function databasePrefix(): string {
  process.env.COLOPHON_TEST_RUN ??= randomBytes(4).toString('hex');
  return `colophon_test_${process.env.COLOPHON_TEST_RUN}_`;
}

export async function readVersion(url: string): Promise<string> {
  const [row] = await runSql(url, 'show server_version');
  return String(row?.server_version);
}
