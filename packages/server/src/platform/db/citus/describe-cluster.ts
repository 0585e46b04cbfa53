import type { Queryable, Tx } from '../database.js';
import { isDistributed, listUndistributed, versionOfFunctions } from './cluster-functions.js';

/** The lowest major version of Citus with which the tests of the service ran. */
const MIN_VERSION = 13;
/** Maximum time for a new connection to a worker. */
export const ANSWER_MS = 5_000;

interface Cluster {
  version: string;
  isCoordinator: boolean;
  knowsCoordinator: boolean;
  /** Addresses of the nodes that store shards. */
  nodes: string[];
}

async function readCluster(db: Queryable): Promise<Cluster | undefined> {
  const [extension] = await db.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  );
  if (extension === undefined) return undefined;
  const [row] = await db.query<Omit<Cluster, 'version'>>(
    `select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
       exists (select from pg_dist_node where groupid = 0) as "knowsCoordinator",
       array(select nodename || ':' || nodeport from pg_dist_node
         where isactive and shouldhaveshards and groupid <> 0 order by 1) as nodes`,
  );
  return row && { version: extension.version, ...row };
}

export async function assertFitCluster(db: Queryable): Promise<void> {
  const cluster = await readCluster(db);
  const trouble = cluster === undefined ? NO_EXTENSION : findTrouble(cluster);
  if (trouble !== undefined) throw new Error(trouble);
  const versions = await db.query<{ node: string; version: string }>(
    `select nodename || ':' || nodeport as node, result as version from run_command_on_workers($1)`,
    [VERSION],
  );
  const [own] = await db.query<{ version: string }>(VERSION);
  const other = versions.find(({ version }) => version !== own?.version);
  if (other !== undefined)
    throw new Error(
      `The coordinator runs Citus ${own?.version}, and the node ${other.node} runs Citus ${other.version}. Install the same versions on all nodes.`,
    );
}

const VERSION = `select extversion || ' on PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1) as version
  from pg_extension where extname = 'citus'`;

const NO_EXTENSION =
  'The database has no Citus. Run `create extension citus` in this database on each node, then add the nodes to the coordinator with citus_add_node().';

function findTrouble({ version, isCoordinator, knowsCoordinator, nodes }: Cluster): string | undefined {
  if (Number.parseInt(version, 10) < MIN_VERSION)
    return `Citus ${MIN_VERSION} or later is needed; this is ${version}. Update the extension on each node.`;
  if (!isCoordinator)
    return 'DATABASE_URL names a node that is not the coordinator. Set it to the address of the coordinator.';
  if (!knowsCoordinator)
    return "The nodes do not know the coordinator. On it, run select citus_set_coordinator_host('<host>', <port>).";
  if (nodes.length === 0)
    return 'The cluster has no node that stores shards. Add one with select citus_add_node(<host>, <port>).';
  return undefined;
}

/** Returns undefined for a database without Citus. */
export async function describeCluster(db: Queryable): Promise<{ isFit: boolean; says: string } | undefined> {
  const cluster = await readCluster(db);
  if (cluster === undefined) return undefined;
  const about = `Citus ${cluster.version}, ${cluster.nodes.length} nodes with shards`;
  const trouble = findTrouble(cluster);
  if (trouble !== undefined) return { isFit: false, says: `${about}: ${trouble}` };
  if (!(await isDistributed(db)))
    return { isFit: true, says: `${about}: no table is distributed. Run \`colophon db distribute\`` };
  const left = await listUndistributed(db);
  if (left.length > 0) {
    const names = left.map(({ name }) => name).join(', ');
    return {
      isFit: false,
      says: `${about}: tables not distributed: ${names}. Run \`colophon db distribute\``,
    };
  }
  const stale = await listStaleNodes(db);
  if (stale.length > 0)
    return {
      isFit: false,
      says: `${about}: nodes without functions of this version: ${stale.join(', ')}. Run \`colophon db distribute\``,
    };
  return { isFit: true, says: `${about}: the records are distributed, and each node has the functions` };
}

/** Lists the nodes that lack the functions of this version for one of their shards, or that fail to answer. */
export async function listStaleNodes(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ node: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as node, success, result from run_command_on_workers(format(
       $$select count(*) from provenance.local_shards() as shard
         where obj_description(to_regnamespace('provenance_' || shard), 'pg_namespace') is distinct from %L$$, $1::text))`,
    [versionOfFunctions()],
  );
  return rows.filter(({ success, result }) => !success || result !== '0').map(({ node }) => node);
}

/** Lists the nodes that store shards but accept no new connection within `ANSWER_MS`, such as a frozen node. */
export async function listSilentNodes(tx: Tx): Promise<string[]> {
  await tx.exec(`set local citus.node_connection_timeout = ${ANSWER_MS}`);
  const rows = await tx.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from run_command_on_workers('select 1') where not success`,
  );
  return rows.map(({ node }) => node);
}
