import { NAME_BEHIND_POOLER, NAME_WITH_REPLICA } from './citus/assert-all-follow.js';
import { isDistributedAtLast } from './citus/cluster-functions.js';
import { refreshCluster } from './citus/distribute.js';
import { followDistribution } from './citus/follow-distribution.js';
import { routeStatements } from './citus/route-statements.js';
import { type Database, NowDistributedError, type Queryable, toOutage } from './database.js';
import { LAYERS, type Layer } from './layers.js';
import { migrate } from './migrate.js';
import { openDirectory } from './pglite/open-directory.js';
import { openPglite } from './pglite/open-pglite.js';
import { readStartTemplate } from './pglite/start-template.js';
import { openPostgres } from './postgres.js';
import type { SupabaseLocation } from './supabase/call-over-rest.js';

/** If `supabase` is set, it contains the records, and the location named by `kind` only the control layer. */
export type StoreLocation = { supabase?: SupabaseLocation | undefined } & (
  | { kind: 'memory' }
  | { kind: 'directory'; directory: string }
  | PostgresLocation
);

export interface PostgresLocation {
  kind: 'postgresql';
  url: string;
  directUrl: string | undefined;
  replicaUrl?: string | undefined;
  /** A read of the replica sees all commits that the primary acknowledged at least this number of milliseconds ago. */
  replicaStalenessMs?: number | undefined;
  /** `DEFAULT_CONNECTIONS` by default. */
  connections?: number | undefined;
  /** True if a pooler in transaction mode, such as PgBouncer, is in front of the server. */
  transactionPooler?: boolean;
}

/** Both may be the same database. */
export interface Databases {
  control: Database;
  provenance: Database;
  close(): Promise<void>;
}

/** `report` is called when the embedded engine stops, and when a pooler loses prepared statements. */
export async function openDatabases(
  place: StoreLocation,
  report?: (error: Error) => void,
): Promise<Databases> {
  const { supabase } = place;
  const layers = supabase === undefined ? LAYERS : (['control'] as const);
  return withRecords(
    await openMigrated(place, { layers, ...(report === undefined ? {} : { report }) }),
    supabase,
  );
}

/** Without `supabase`, the records are in the database of the control layer. */
export async function withRecords(
  control: Database,
  supabase: StoreLocation['supabase'],
): Promise<Databases> {
  if (supabase === undefined) return { control, provenance: control, close: () => control.close() };
  try {
    const { openSupabase } = await import('./supabase/open-supabase.js');
    const provenance = await openSupabase(supabase);
    const close = async () => void (await Promise.all([control.close(), provenance.close()]));
    return { control, provenance, close };
  } catch (error) {
    await control.close();
    throw error;
  }
}

async function openMigrated(
  place: StoreLocation,
  { layers, ...options }: { layers: readonly Layer[]; report?: (error: Error) => void },
): Promise<Database> {
  if (place.kind === 'postgresql') {
    const direct = openPostgres(place.directUrl ?? place.url, { statementMs: 0, keepsSession: false });
    const isCluster = await migrateServer(direct, layers).finally(() => direct.close());
    return openServer(place, isCluster, options.report);
  }
  const db = await (place.kind === 'directory'
    ? openDirectory(place.directory, options)
    : openPglite({ directory: undefined, templateFile: readStartTemplate() }, options));
  try {
    await migrateAll(db, layers);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The server can become the coordinator of a cluster while the service runs. */
function openServer(
  place: PostgresLocation,
  isCluster: boolean,
  report: ((error: Error) => void) | undefined,
): Database {
  const options = {
    ...(place.connections === undefined ? {} : { connections: place.connections }),
    keepsSession: place.transactionPooler !== true,
    report,
  };
  const applicationName = nameIfBehind(place);
  const openCluster = () => routeStatements(openPostgres(place.url, { ...options, isCluster: true }));
  if (isCluster && place.replicaUrl !== undefined) throw new Error(NO_REPLICAS);
  if (isCluster) return openCluster();
  const checkSession = async (session: Queryable) => {
    if (await isDistributedAtLast(session))
      throw new NowDistributedError('The records are on a Citus cluster.');
  };
  return followDistribution(openPostgres(place.url, { ...options, checkSession, applicationName }), () => {
    if (place.replicaUrl !== undefined) throw toOutage(NO_REPLICAS, undefined);
    return openCluster();
  });
}

/** Returns the session name by which `assertAllFollow` finds a node that must restart to use a Citus cluster. */
function nameIfBehind(place: PostgresLocation): string | undefined {
  if (place.transactionPooler === true) return NAME_BEHIND_POOLER;
  return place.replicaUrl === undefined ? undefined : NAME_WITH_REPLICA;
}

const NO_REPLICAS =
  'The records are on a Citus cluster, which has no read replicas: unset DATABASE_REPLICA_URL, and restart the service.';

/** Returns whether Citus distributes the records. */
async function migrateServer(db: Database, layers: readonly Layer[]): Promise<boolean> {
  await migrateAll(db, layers);
  return refreshCluster(db);
}

async function migrateAll(db: Database, layers: readonly Layer[]): Promise<void> {
  await assertSupportedServer(db);
  for (const layer of layers) await migrate(db, layer);
}

export async function ping(db: Database): Promise<void> {
  await db.query('select 1');
}

const MIN_VERSION = 150_000;

/** With `read committed`, each statement of a transaction sees all earlier commits. */
async function assertSupportedServer(db: Database): Promise<void> {
  const [row] = await db.query<{ number: number; version: string; isolation: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       current_setting('default_transaction_isolation') as isolation`,
  );
  if ((row?.number ?? 0) < MIN_VERSION) {
    throw new Error(`PostgreSQL 15 or later is needed. This server has version ${row?.version}.`);
  }
  if (row?.isolation !== 'read committed') {
    throw new Error(
      `default_transaction_isolation is ${row?.isolation}; set it to 'read committed' for this database or user.`,
    );
  }
}
