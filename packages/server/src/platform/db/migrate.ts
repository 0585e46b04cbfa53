import { isDistributed } from './citus/cluster-functions.js';
import { installOnCoordinator } from './citus/distribute.js';
import type { Database, Queryable, Tx } from './database.js';
import { type Layer, readFunctions, readMigrations, type SqlFile } from './layers.js';
import { describeFunctions, FUNCTIONS, toEnterSql } from './schema-changes.js';

/**
 * Runs each new migration in its own transaction. Several nodes can call it at the same time. Functions of a later
 * version of the service stay. Rejects when the text of an applied migration has changed.
 */
export async function migrate(db: Database, layer: Layer): Promise<void> {
  for (const migration of readMigrations(layer)) {
    await db.transaction((tx) => applyMigration(tx, layer, migration));
  }
  await db.transaction((tx) => applyFunctions(tx, layer));
}

export interface AppliedChange {
  name: string;
  checksum: string;
}

export async function readApplied(db: Queryable, layer: Layer): Promise<AppliedChange[]> {
  return db.query<AppliedChange>(
    `select name, checksum from ${layer}.schema_change where name like '%.sql' order by name`,
  );
}

/** Applies the migrations of another database to an empty layer. Rejects when this version lacks one of them. */
export async function applySameMigrations(
  tx: Tx,
  layer: Layer,
  applied: readonly AppliedChange[],
): Promise<void> {
  const known = readMigrations(layer);
  const isKnown = (one: AppliedChange) =>
    known.some(({ name, checksum }) => name === one.name && checksum === one.checksum);
  const unknown = applied.find((one) => !isKnown(one));
  if (unknown !== undefined)
    throw new Error(
      `This version does not know the schema change ${layer}/${unknown.name}: use the version of Colophon that created it.`,
    );
  for (const migration of known)
    if (applied.some(({ name }) => name === migration.name)) await applyMigration(tx, layer, migration);
}

async function applyMigration(tx: Tx, layer: Layer, migration: SqlFile): Promise<void> {
  await tx.exec(toEnterSql(layer));
  const applied = await readChecksum(tx, layer, migration.name);
  if (applied === migration.checksum) return;
  if (applied !== undefined) {
    throw new Error(`Migration ${layer}/${migration.name} was changed after it had been applied`);
  }
  if (layer === 'provenance' && (await isDistributed(tx))) {
    // Set the limit before the block, because the limit at the start of the block applies to the whole block.
    await tx.exec('set local statement_timeout = 0');
    await tx.exec(toBlock(migration.sql));
  } else await tx.exec(migration.sql);
  await writeChecksum(tx, layer, migration);
}

/**
 * Wraps statements in a `do` block, so that PostgreSQL runs each of them as a query of its own. Citus sends the
 * complete query that creates an index to the nodes. `sql` must not contain a `select` statement.
 */
function toBlock(sql: string): string {
  return `do $migration$\nbegin\n${sql}\nend\n$migration$`;
}

async function applyFunctions(tx: Tx, layer: Layer): Promise<void> {
  await tx.exec(toEnterSql(layer));
  if (await isAhead(tx, layer)) return;
  const functions = readFunctions(layer);
  const { current, former, checksum } = describeFunctions(functions);
  if ((await readChecksum(tx, layer, current)) === checksum) return;
  // A later version has replaced these functions. This version can use the later functions too.
  if ((await readChecksum(tx, layer, former)) !== undefined) return;
  // PostgreSQL must not check the bodies: a function may call a function of a later file, which does not exist yet.
  await tx.exec('set local check_function_bodies = off');
  if (layer === 'provenance' && (await isDistributed(tx))) await installOnCoordinator(tx);
  else for (const file of functions) await tx.exec(file.sql);
  await writeChecksum(tx, layer, { name: current, checksum });
  await writeChecksum(tx, layer, { name: former, checksum });
}

/** Whether the database has a migration that this version does not know. */
async function isAhead(tx: Tx, layer: Layer): Promise<boolean> {
  const known = [FUNCTIONS, ...readMigrations(layer).map(({ name }) => name)];
  const rows = await tx.query(
    `select from ${layer}.schema_change where name <> all ($1::text[]) and name not like '${FUNCTIONS} %'`,
    [known],
  );
  return rows.length > 0;
}

async function readChecksum(tx: Tx, layer: Layer, name: string): Promise<string | undefined> {
  const rows = await tx.query<{ checksum: string }>(
    `select checksum from ${layer}.schema_change where name = $1`,
    [name],
  );
  return rows[0]?.checksum;
}

async function writeChecksum(tx: Tx, layer: Layer, change: { name: string; checksum: string }) {
  await tx.query(
    `insert into ${layer}.schema_change (name, checksum) values ($1, $2)
     on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
    [change.name, change.checksum],
  );
}
