import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDistributed } from '../citus/cluster-functions.js';
import { routeStatements } from '../citus/route-statements.js';
import type { Database } from '../database.js';
import { type Databases, type StoreLocation, withRecords } from '../open-databases.js';
import { openDirectory } from '../pglite/open-directory.js';
import { openPostgres } from '../postgres.js';

const LONG_MS = 3_600_000;

export async function openWithoutMigrating(place: StoreLocation): Promise<Database> {
  if (place.kind === 'directory' && !existsSync(path.join(place.directory, 'pg')))
    throw new Error(`There is no database in ${place.directory}. Check DATA_DIR.`);
  const db = await openBare(place);
  if (await hasLayers(db)) return db;
  await db.close();
  throw new Error('The database has no tables of Colophon. Check DATA_DIR or DATABASE_URL.');
}

export async function openAsTheyAre(place: StoreLocation): Promise<Databases> {
  return withRecords(await openWithoutMigrating(place), place.supabase);
}

/** Rejects when the database already has the schema of the service. */
export async function openEmpty(place: StoreLocation): Promise<Database> {
  const db = await openBare(place);
  if (!(await hasLayers(db))) return db;
  await db.close();
  throw new Error(
    'The database is not empty. Restore to a new, empty database. Check the restored database before you use it.',
  );
}

async function openBare(place: StoreLocation): Promise<Database> {
  if (place.kind === 'memory')
    throw new Error(
      'A database in memory cannot be opened by another process. Set DATA_DIR or DATABASE_URL.',
    );
  if (place.kind === 'directory') return openDirectory(place.directory, { bare: true, silentMs: LONG_MS });
  const db = openPostgres(place.directUrl ?? place.url, { statementMs: 0, keepsSession: false });
  return (await isDistributed(db)) ? routeStatements(db) : db;
}

async function hasLayers(db: Database): Promise<boolean> {
  const found = await db.query(`select from pg_namespace where nspname in ('control', 'provenance') limit 1`);
  return found.length > 0;
}
