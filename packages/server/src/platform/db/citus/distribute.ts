import pg from 'pg';
import type { Database, Queryable, Tx } from '../database.js';
import { readFunctions } from '../layers.js';
import { describeFunctions, toEnterSql } from '../schema-changes.js';
import { isDistributed, listUndistributed, readClusterSql, versionOfFunctions } from './cluster-functions.js';
import { assertFitCluster, listStaleNodes } from './describe-cluster.js';
import { REFERENCE_TABLES } from './tables.js';

/**
 * Distributes the tables of records over the nodes of a Citus cluster, by project, and gives each node the functions.
 * Moves only tables that are not distributed yet, so it can run again, for example after a node was added. Returns the
 * names of the tables that it distributed. Rejects when the server is not a cluster that the service supports. No node
 * of the service may run at the same time.
 */
export async function distribute(db: Database): Promise<string[]> {
  await assertFitCluster(db);
  const moved = await db.transaction(moveTables);
  await db.transaction(installFunctions);
  await placeFunctions(db);
  return moved;
}

/**
 * Gives the nodes of a cluster the tables and functions of this version, after a migration. Returns false when the
 * database is not distributed.
 */
export async function refreshCluster(db: Database): Promise<boolean> {
  if (!(await isDistributed(db))) return false;
  await db.transaction(moveTables);
  if ((await isCurrent(db)) && (await listStaleNodes(db)).length > 0) await placeFunctions(db);
  return true;
}

async function moveTables(tx: Tx): Promise<string[]> {
  // Citus calls triggers unsafe. These are safe, because they change only rows on the node of the changed row.
  await tx.exec(`${toEnterSql('provenance')} set local citus.enable_unsafe_triggers = on;
    set local citus.multi_shard_modify_mode = 'sequential'`);
  const rows = await listUndistributed(tx);
  const references = rows.filter(({ name }) => REFERENCE_TABLES.includes(name));
  const ofProjects = rows.filter(({ isOfProject }) => isOfProject);
  for (const { name } of references) await tx.query(`select create_reference_table('provenance.${name}')`);
  // The first table decides the number of shards. The others have their shards on the same nodes.
  for (const { name } of ofProjects.toSorted(byActionFirst))
    await tx.query(
      `select create_distributed_table('provenance.${name}', 'project_id', colocate_with => $1)`,
      [name === 'action' ? 'none' : 'provenance.action'],
    );
  return [...references, ...ofProjects].map(({ name }) => name);
}

const byActionFirst = (one: { name: string }, other: { name: string }) =>
  Number(other.name === 'action') - Number(one.name === 'action');

/** Creates the functions on the coordinator, and makes Citus send calls of `run_on_shard` to the other nodes. */
async function installFunctions(tx: Tx): Promise<void> {
  await tx.exec(toEnterSql('provenance'));
  await installOnCoordinator(tx);
  const known = await tx.query(
    `select from pg_catalog.pg_dist_object
     where objid = 'provenance.run_on_shard(uuid,text,text,text[])'::regprocedure
       and distribution_argument_index is not null`,
  );
  if (known.length > 0) return;
  await tx.query(
    `select create_distributed_function('provenance.run_on_shard(uuid,text,text,text[])', '$1',
       colocate_with => 'provenance.action', force_delegation => true)`,
  );
}

/**
 * Creates the functions on the coordinator again. The distribution of the tables drops some functions, and a migration
 * replaces the functions of the triggers.
 */
export async function installOnCoordinator(tx: Tx): Promise<void> {
  await tx.exec('set local citus.enable_ddl_propagation = off; set local check_function_bodies = off');
  for (const { sql } of readFunctions('provenance')) await tx.exec(sql);
  await tx.exec(readClusterSql());
  await tx.exec('set local citus.enable_ddl_propagation = on');
}

/** Arbitrary key of an advisory lock on each node, so that no two nodes of the service place functions at once. */
const PLACE_LOCK = 7_230_192;

/** Creates or replaces the functions on each node with shards. */
async function placeFunctions(db: Queryable): Promise<void> {
  const sources = readFunctions('provenance').map(({ sql }) => pg.escapeLiteral(sql));
  await runOnNodes(
    db,
    `do $colophon$ begin
       perform pg_advisory_xact_lock(${PLACE_LOCK});
       perform set_config('citus.enable_ddl_propagation', 'off', true);
       execute ${pg.escapeLiteral(readClusterSql())};
     end $colophon$`,
  );
  await runOnNodes(
    db,
    `select provenance.place_functions(array[${sources.join(', ')}], ${pg.escapeLiteral(versionOfFunctions())})`,
  );
}

async function runOnNodes(db: Queryable, command: string): Promise<void> {
  const rows = await db.query<{ node: string; result: string }>(
    `select nodename || ':' || nodeport as node, result from run_command_on_workers($1) where not success`,
    [command],
  );
  const [failed] = rows;
  if (failed !== undefined) throw new Error(`The Citus node ${failed.node} failed: ${failed.result}`);
}

/** Whether the coordinator has the functions of this version, not of a later version. */
async function isCurrent(db: Queryable): Promise<boolean> {
  const { current, checksum } = describeFunctions(readFunctions('provenance'));
  const rows = await db.query('select from provenance.schema_change where name = $1 and checksum = $2', [
    current,
    checksum,
  ]);
  return rows.length > 0;
}
