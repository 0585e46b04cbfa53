import type { Database, Queryable, Tx } from '../database.js';
import { toEnterSql } from '../schema-changes.js';
import { TRIGGER } from './drop-copy.js';
import { type LargeTable, NEXT, toCopyComment } from './large-tables.js';
import type { PartitionOptions, PartitionRun } from './partition-options.js';
import { toLockGently, whileLocking } from './while-locking.js';

/** Approximate number of bytes that one statement copies, with the bytes of long values. */
const PORTION_BYTES = 1_048_576;
/** Maximum time that one statement waits for a locked row. It is less than PostgreSQL's `deadlock_timeout`. */
const ROW_LOCK_MS = 100;
const ROW_ATTEMPTS = 3_000;

export async function copyAll(
  db: Database,
  tables: readonly LargeTable[],
  options: PartitionRun,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.exec(`${toEnterSql('provenance')} create schema ${NEXT};
      comment on schema ${NEXT} is '${toCopyComment('partition', options.runId)}'`);
  });
  // Each table has its own transaction, so that one transaction does not need the locks of all partitions.
  for (const table of tables) await db.transaction((tx) => createCopy(tx, table, options.parts));
  // Each trigger has its own transaction, so that this process never waits for a table while it locks another table.
  for (const { name } of tables)
    await whileLocking(options, () =>
      db.transaction(async (tx) => {
        await tx.exec(`${toLockGently([`provenance.${name}`])}
          create trigger ${TRIGGER} after insert or update or delete on provenance.${name}
            for each row execute function ${NEXT}.copy_${name}()`);
      }),
    );
  for (const table of tables) await copyRows(db, table, options);
  for (const { name } of tables) await db.query(`analyze ${NEXT}.${name}`);
}

async function createCopy(tx: Tx, table: LargeTable, parts: number): Promise<void> {
  const { name, columns, key } = table;
  const copy = `${NEXT}.${name}`;
  const partitions = Array.from(
    { length: parts },
    (_, part) =>
      `create table ${copy}_${part} partition of ${copy} for values with (modulus ${parts}, remainder ${part})
         with (autovacuum_enabled = false, toast.autovacuum_enabled = false);`,
  );
  await tx.exec(`create table ${copy} (like provenance.${name} including all excluding indexes)
      partition by hash (project_id);
    ${partitions.join('\n')}
    ${(await readDependents(tx, name)).join(';\n')}`);
  const same = key.map((column) => `${column} = old.${column}`).join(' and ');
  const others = columns.filter((column) => !key.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  const onConflict = others.length === 0 ? 'nothing' : `update set ${set}`;
  await tx.exec(`create function ${NEXT}.copy_${name}() returns trigger language plpgsql
    security definer set search_path = '' as $copy$
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
export async function readDependents(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx.query<{ step: string }>(
    `select step from (
       select 1 as place, format('alter table ${NEXT}.%I add constraint %I %s', relname, conname,
         pg_get_constraintdef(k.oid)) as step
       from pg_constraint k join pg_class c on c.oid = conrelid where conrelid = $1::regclass and contype in ('p', 'u')
       union all
       select 2, regexp_replace(pg_get_indexdef(indexrelid), ' ON (ONLY )?provenance\\.', ' ON ${NEXT}.') from pg_index i
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
 * Copies the rows that the table had before the trigger. The copy never keeps a deleted row or an old version of a row:
 * - This statement does not overwrite a row that the trigger has inserted.
 * - A deletion waits for this statement because of `for key share`, an update because of the same unique key. Then the
 *   trigger repeats the change in the copy.
 */
async function copyRows(db: Database, table: LargeTable, options: PartitionOptions): Promise<void> {
  const { name, columns } = table;
  const { advance, signal } = options;
  const list = columns.join(', ');
  for (const { range, bytes } of await readPortions(db, `provenance.${name}`, options)) {
    // In a deadlock with a recording, this statement ends first.
    await whileLocking({ attempts: ROW_ATTEMPTS, pauseMs: ROW_LOCK_MS, signal }, () =>
      db.transaction(
        async (tx) => {
          await tx.exec(`set local statement_timeout = 0; set local lock_timeout = ${ROW_LOCK_MS}`);
          await tx.query(
            `insert into ${NEXT}.${name} (${list})
             select ${list} from provenance.${name} where ctid >= $1::tid and ctid < $2::tid for key share
             on conflict do nothing`,
            range,
          );
        },
        { projectId: '', signal },
      ),
    );
    await advance?.(bytes);
  }
  await assertEqual(db, name);
}

/** `range`: the first `ctid` of this portion, and that of the next portion. */
export interface Portion {
  range: [string, string];
  bytes: number;
}

/** Divides the present pages of a table into portions that one statement can copy. */
export async function readPortions(
  db: Queryable,
  table: string,
  { pagesAtOnce }: Pick<PartitionOptions, 'pagesAtOnce'>,
): Promise<Portion[]> {
  const [size] = await db.query<{ pages: number; pageBytes: number; allBytes: number }>(
    `select (pg_relation_size('${table}') / current_setting('block_size')::int)::int as pages,
       current_setting('block_size')::int as "pageBytes", pg_table_size('${table}') as "allBytes"`,
  );
  const { pages = 0, pageBytes = 0, allBytes = 0 } = size ?? {};
  const atOnce = pagesAtOnce ?? Math.max(1, Math.floor((PORTION_BYTES * pages) / allBytes));
  const portions: Portion[] = [];
  for (let page = 0; page < pages; page += atOnce)
    portions.push({
      range: [`(${page},0)`, `(${page + atOnce},0)`],
      bytes: Math.min(atOnce, pages - page) * pageBytes,
    });
  return portions;
}

/** The table and its copy are equal, because a trigger repeats each change in the same transaction. */
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
