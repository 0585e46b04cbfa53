import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { distribute } from '../../src/platform/db/citus/distribute.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { runSql } from './run-sql.js';

/**
 * TEST_CITUS_URL is the URL of a database on the coordinator. The database has the extension and knows all nodes. The
 * user is a superuser on each node.
 */
export const isOnCluster = () => Boolean(process.env.TEST_CITUS_URL);

/** The coordinator comes first. Without a cluster, returns only this URL. */
export async function listNodeUrls(url: string): Promise<string[]> {
  if (!isOnCluster()) return [url];
  const admin = process.env.TEST_CITUS_URL ?? url;
  const rows = await runSql(
    admin,
    'select nodename, nodeport::text from pg_dist_node where groupid <> 0 order by nodeid',
  );
  return [url, ...rows.map(({ nodename, nodeport }) => onServer(url, `${nodename}:${nodeport}`))];
}

function onServer(url: string, host: string): string {
  const other = new URL(url);
  other.host = host;
  return other.href;
}

/** Runs outside of a transaction. */
export async function runOnNodes(url: string, text: string): Promise<void> {
  for (const node of await listNodeUrls(url)) await runSql(node, text);
}

/** Each node has a database with the name in this URL. */
export async function joinNodes(url: string): Promise<void> {
  await runOnNodes(url, 'create extension if not exists citus');
  const { hostname, port } = new URL(url);
  await runSql(url, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const node of (await listNodeUrls(url)).slice(1)) {
    const { hostname: name, port: nodePort } = new URL(node);
    await runSql(url, `select citus_add_node('${name}', ${nodePort})`);
  }
}

/** A busy machine can need more than the default of 7 s. */
const GATE_MS = 60_000;

/** PostgreSQL can copy a database only without connections to it. */
export async function sealTemplate(url: string): Promise<void> {
  const db = openPostgres(url, { statementMs: 0, keepsSession: false });
  await distribute(db, { gateMs: GATE_MS }).finally(() => db.close());
  const name = new URL(url).pathname.slice(1);
  for (const node of await listNodeUrls(process.env.TEST_CITUS_URL ?? url)) {
    await runSql(node, `alter database "${name}" allow_connections false`);
    await runSql(
      node,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
  }
}

/** The result is empty for a server on another machine, and for a server whose files this user cannot read. */
export async function listServerProcesses(url: string): Promise<number[]> {
  const [row] = await runSql(url, `select current_setting('data_directory') as directory`);
  const file = path.join(String(row?.directory), 'postmaster.pid');
  if (!existsSync(file)) return [];
  const [main = '', , , port] = readFileSync(file, 'utf8').split('\n');
  const children = `/proc/${main}/task/${main}/children`;
  if (port !== new URL(url).port || !existsSync(children)) return [];
  return [main, ...readFileSync(children, 'utf8').trim().split(' ')].map(Number);
}
