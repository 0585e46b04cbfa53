import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors.js';
import { isDistributed } from './citus/cluster-functions.js';
import { type Database, DatabaseError, type Queryable, type Tx } from './database.js';
import { toEnterSql } from './schema-changes.js';

/** Tables that grow with the records. Each of their keys begins with `project_id`. */
const LARGE_TABLES = [
  'entity',
  'action',
  'action_input',
  'action_output',
  'resource',
  'content_alias',
  'attribution',
  'log_leaf',
  'log_node',
  'mention',
  'mention_node',
  'record_map_entry',
  'record_map_node',
  'descriptor',
  'iscc',
];

/** Schema of the copies until they replace the tables. */
const NEXT = 'provenance_next';
/** Arbitrary key of the advisory lock that keeps two copies from running at the same time. */
const PARTITION_LOCK = 7_230_193;
/** Number of pages of a table that one statement copies by default: 4 MiB of rows. */
const PAGES_AT_ONCE = 512;
/** Time for one attempt to lock the tables. It is less than PostgreSQL's `deadlock_timeout` of 1 s. */
const LOCK_MS = 800;
const LOCK_ATTEMPTS = 120;
const PAUSE_MS = 1_000;

/** The database cannot be partitioned now. The message has the reason and the remedy. */
export class NotPartitionableError extends Error {}

export interface PartitionOptions {
  /** Number of partitions of each table. */
  parts: number;
  /** Number of pages of a table that one statement copies. */
  pagesAtOnce?: number | undefined;
  /** Called after each portion that was copied, with its bytes. The copy waits for the returned promise. */
  advance?: ((bytes: number) => void | Promise<void>) | undefined;
  signal?: AbortSignal | undefined;
}

export interface Partitioned {
  /** Names of the tables that this call partitioned. */
  tables: string[];
  /** Time during which the service could not use these tables, in ms. */
  pausedMs: number;
}

interface LargeTable {
  name: string;
  /** Names of the columns without generated ones, quoted. */
  columns: string[];
  /** Columns of the primary key, quoted. */
  key: string[];
  /** The definition of the table. A migration changes it. */
  shape: string;
}

/** Returns the number of bytes that `partition` copies. */
export async function countBytesToPartition(db: Queryable): Promise<number> {
  const [row] = await db.query<{ bytes: string }>(
    `select coalesce(sum(pg_relation_size(oid)), 0)::text as bytes from pg_class
     where relnamespace = to_regnamespace('provenance') and relkind = 'r' and relname = any ($1::text[])`,
    [LARGE_TABLES],
  );
  return Number(row?.bytes ?? 0);
}

/**
 * Divides the large tables of records by project, while the service runs. Triggers repeat each change of a table in a
 * partitioned copy, while this function copies the earlier rows. It compares all rows, and then replaces the tables in
 * one transaction, which locks them. When it rejects, the tables are unchanged. It can run again. `db` needs two
 * connections, and no time limit for statements.
 */
export async function partition(db: Database, options: PartitionOptions): Promise<Partitioned> {
  if (await isDistributed(db))
    throw new NotPartitionableError(
      'Citus already divides these tables by project, so they need no partitions.',
    );
  return db.transaction(async (guard) => {
    await guard.exec('set local idle_in_transaction_session_timeout = 0');
    const [row] = await guard.query<{ locked: boolean }>(
      `select pg_try_advisory_xact_lock(${PARTITION_LOCK}) as locked`,
    );
    if (row?.locked !== true)
      throw new NotPartitionableError('Another `colophon db partition` runs on this database.');
    const tables = await readTables(db);
    if (tables.length === 0) return { tables: [], pausedMs: 0 };
    try {
      await copyAll(db, tables, options);
      return { tables: tables.map(({ name }) => name), pausedMs: await replaceAll(db, tables, options) };
    } catch (error) {
      await db.query(`drop schema if exists ${NEXT} cascade`);
      throw error;
    }
  });
}

/** Reads the large tables that are not partitioned. */
function readTables(db: Queryable): Promise<LargeTable[]> {
  return db.query<LargeTable>(
    `select c.relname as name,
       array(select quote_ident(attname) from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select quote_ident(a.attname) from pg_attribute a
         where a.attrelid = c.oid and a.attnum = any (k.conkey) order by a.attnum) as key,
       concat_ws(E'\\n',
         (select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
            pg_get_expr(d.adbin, d.adrelid)), ', ' order by a.attnum)
          from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
         (select string_agg(pg_get_constraintdef(oid), ', ' order by conname) from pg_constraint where conrelid = c.oid),
         (select string_agg(pg_get_indexdef(indexrelid), ', ' order by indexrelid) from pg_index
          where indrelid = c.oid), c.relacl::text) as shape
     from pg_class c join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where c.relnamespace = to_regnamespace('provenance') and c.relkind = 'r' and c.relname = any ($1::text[])
     order by array_position($1::text[], c.relname::text)`,
    [LARGE_TABLES],
  );
}

/** Creates the copies and fills them. */
async function copyAll(
  db: Database,
  tables: readonly LargeTable[],
  options: PartitionOptions,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.exec(toEnterSql('provenance'));
    await tx.exec(`drop schema if exists ${NEXT} cascade; create schema ${NEXT}`);
    for (const table of tables) await createCopy(tx, table, options.parts);
  });
  // Each trigger in its own transaction, so that this process never waits for a table while it locks another one.
  for (const { name } of tables)
    await whileLocking(options.signal, () =>
      db.transaction(async (tx) => {
        await tx.exec(`set local lock_timeout = ${LOCK_MS};
          create trigger copy_to_partitions after insert or update or delete on provenance.${name}
            for each row execute function ${NEXT}.copy_${name}()`);
      }),
    );
  for (const table of tables) await copyRows(db, table, options);
  for (const { name } of tables) await db.query(`analyze ${NEXT}.${name}`);
}

/** Creates a partitioned table with the columns, constraints, indexes and grants of a table, and the copying function. */
async function createCopy(tx: Tx, table: LargeTable, parts: number): Promise<void> {
  const { name, columns, key } = table;
  const copy = `${NEXT}.${name}`;
  const partitions = Array.from(
    { length: parts },
    (_, part) =>
      `create table ${copy}_${part} partition of ${copy} for values with (modulus ${parts}, remainder ${part});`,
  );
  await tx.exec(`create table ${copy} (like provenance.${name} including all excluding indexes)
      partition by hash (project_id);
    ${partitions.join('\n')}
    ${(await readDependents(tx, name)).join(';\n')}`);
  const same = key.map((column) => `${column} = old.${column}`).join(' and ');
  const others = columns.filter((column) => !key.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  const onConflict = others.length === 0 ? 'nothing' : `update set ${set}`;
  await tx.exec(`create function ${NEXT}.copy_${name}() returns trigger language plpgsql as $copy$
    begin
      if tg_op = 'DELETE' or (tg_op = 'UPDATE' and (${toRow('old', key)}) is distinct from (${toRow('new', key)})) then
        delete from ${copy} where ${same};
      end if;
      if tg_op <> 'DELETE' then
        insert into ${copy} (${columns.join(', ')}) values (${toRow('new', columns)})
        on conflict (${key.join(', ')}) do ${onConflict};
      end if;
      return null;
    end $copy$`);
}

const toRow = (row: 'old' | 'new', columns: readonly string[]) =>
  columns.map((column) => `${row}.${column}`).join(', ');

/** Returns the statements that give the copy the constraints, the other indexes and the grants of the table. */
async function readDependents(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx.query<{ step: string }>(
    `select step from (
       select 1 as place, format('alter table ${NEXT}.%I add constraint %I %s', relname, conname,
         pg_get_constraintdef(k.oid)) as step
       from pg_constraint k join pg_class c on c.oid = conrelid where conrelid = $1::regclass and contype in ('p', 'u')
       union all
       select 2, replace(pg_get_indexdef(indexrelid), ' ON provenance.', ' ON ${NEXT}.') from pg_index i
       where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid)
       union all
       select 3, format('grant %s on ${NEXT}.%I to %s', privilege_type, relname,
         case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
       from pg_class c, aclexplode(c.relacl) where c.oid = $1::regclass) made
     order by place`,
    [`provenance.${name}`],
  );
  return rows.map(({ step }) => step);
}

/**
 * Copies the rows that the table had before the trigger. A row that changes meanwhile is already in the copy, or the
 * change waits for the copying statement: `for key share` delays a deletion, and the unique key delays the trigger's
 * insert. So the copy never has a deleted row or an earlier version.
 */
async function copyRows(db: Database, table: LargeTable, options: PartitionOptions): Promise<void> {
  const { name, columns } = table;
  const { pagesAtOnce = PAGES_AT_ONCE, advance, signal } = options;
  const list = columns.join(', ');
  const [size] = await db.query<{ pages: number; pageBytes: number }>(
    `select (pg_relation_size('provenance.${name}') / current_setting('block_size')::int)::int as pages,
       current_setting('block_size')::int as "pageBytes"`,
  );
  const { pages = 0, pageBytes = 0 } = size ?? {};
  for (let page = 0; page < pages; page += pagesAtOnce) {
    signal?.throwIfAborted();
    await db.query(
      `insert into ${NEXT}.${name} (${list})
       select ${list} from provenance.${name} where ctid >= $1::tid and ctid < $2::tid for key share
       on conflict do nothing`,
      [`(${page},0)`, `(${page + pagesAtOnce},0)`],
    );
    await advance?.(Math.min(pagesAtOnce, pages - page) * pageBytes);
  }
  await assertEqual(db, name);
}

/** Compares all rows in one statement, so in one snapshot: a trigger changes both tables in the same transaction. */
async function assertEqual(db: Queryable, name: string): Promise<void> {
  const sum = (schema: string) =>
    `(select concat_ws(' ', count(*), sum(hashtextextended(t::text, 0))) from ${schema}.${name} t)`;
  const [row] = await db.query<{ rows: string; copied: string }>(
    `select ${sum('provenance')} as rows, ${sum(NEXT)} as copied`,
  );
  if (row === undefined || row.rows !== row.copied)
    throw new Error(
      `The copy of provenance.${name} is not complete (${row?.copied} instead of ${row?.rows}).`,
    );
}

/** Replaces the tables by their copies. Returns the time for which it locked the tables, in ms. */
function replaceAll(
  db: Database,
  tables: readonly LargeTable[],
  { parts, signal }: PartitionOptions,
): Promise<number> {
  const names = tables.map(({ name }) => name);
  return whileLocking(signal, async () => {
    let lockedAt = 0;
    await db.transaction(async (tx) => {
      await tx.exec(`${toEnterSql('provenance')} set local statement_timeout = ${LOCK_MS}`);
      lockedAt = performance.now();
      await tx.exec(
        `lock table ${names.map((name) => `provenance.${name}`).join(', ')} in access exclusive mode`,
      );
      await tx.exec('set local statement_timeout = 0');
      await assertUnchanged(tx, tables);
      const functions = await listFunctions(tx);
      const moved = names.flatMap((name) => [
        name,
        ...Array.from({ length: parts }, (_, part) => `${name}_${part}`),
      ]);
      await tx.exec(`set local check_function_bodies = off;
        drop table ${names.map((name) => `provenance.${name}`).join(', ')} cascade;
        ${moved.map((name) => `alter table ${NEXT}.${name} set schema provenance;`).join('\n')}
        drop schema ${NEXT} cascade`);
      // The drop also removed the functions that take or return rows of the tables.
      const left = new Set((await listFunctions(tx)).map(({ id }) => id));
      for (const { id, sql } of functions) if (!left.has(id)) await tx.exec(sql);
    });
    return performance.now() - lockedAt;
  });
}

function listFunctions(tx: Tx): Promise<{ id: string; sql: string }[]> {
  return tx.query(
    `select oid::text as id, pg_get_functiondef(oid) as sql from pg_proc
     where pronamespace = 'provenance'::regnamespace and prokind in ('f', 'p')`,
  );
}

/** Rejects when a migration changed a table after the copy was made. */
async function assertUnchanged(tx: Tx, tables: readonly LargeTable[]): Promise<void> {
  const describe = ({ name, shape }: LargeTable) => `${name}\n${shape}`;
  const now = await readTables(tx);
  if (now.map(describe).join('\n') !== tables.map(describe).join('\n'))
    throw new NotPartitionableError('A migration changed the tables meanwhile. Run the command again.');
}

/** Repeats a transaction that did not get its locks in time. In the pauses, the service uses the tables. */
async function whileLocking<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await run();
    } catch (error) {
      if (!isTimeout(error)) throw error;
      if (attempt === LOCK_ATTEMPTS)
        throw new NotPartitionableError(
          `Other transactions kept a lock on the tables during ${LOCK_ATTEMPTS} attempts. End long transactions (pg_stat_activity), and run the command again.`,
          { cause: error },
        );
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}

/** Whether a statement ended at `lock_timeout` or `statement_timeout`. */
const isTimeout = (error: unknown) =>
  error instanceof ServiceError &&
  error.cause instanceof DatabaseError &&
  ['55P03', '57014'].includes(error.cause.sqlState);
