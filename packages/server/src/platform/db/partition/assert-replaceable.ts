import type { Queryable } from '../database.js';
import { NotPartitionableError } from './large-tables.js';

export async function assertReplaceable(
  db: Queryable,
  tables: readonly string[],
  parts: number,
): Promise<void> {
  await assertNothingLost(db, tables);
  await assertEnoughLocks(db, tables, parts);
}

/** `copied`: the kinds of objects that the caller copies itself: the first word of `what` in the query. */
export async function assertNothingLost(
  db: Queryable,
  tables: readonly string[],
  copied: readonly string[] = [],
): Promise<void> {
  const [row] = await db.query<{ lost: string[] }>(
    `select array(
       select format('%s of %s', found.what, c.relname) from pg_class c, lateral (
         select 'another owner' as what where pg_get_userbyid(c.relowner) <> current_user
         union select 'row security' where c.relrowsecurity
         union select 'publication' from pg_publication_rel where prrelid = c.oid
         union select 'trigger ' || tgname from pg_trigger where tgrelid = c.oid and not tgisinternal
         union select 'foreign key ' || conname from pg_constraint
           where contype = 'f' and c.oid in (conrelid, confrelid)
         union select 'view ' || r.ev_class::regclass from pg_depend d join pg_rewrite r on r.oid = d.objid
           where d.classid = 'pg_rewrite'::regclass and d.refobjid = c.oid and r.ev_class <> c.oid) found
       where c.relnamespace = 'provenance'::regnamespace and c.relname = any ($1::text[])
         and split_part(found.what, ' ', 1) <> all ($2::text[])
       order by 1) as lost`,
    [tables, copied],
  );
  if (row === undefined || row.lost.length === 0) return;
  throw new NotPartitionableError(
    `The copies of the tables would lack: ${row.lost.join(', ')}. Remove these from the tables. For "another owner", run the command as the database user of the service.`,
  );
}

/** The running transactions use the same memory for locks, so the replacement may use only half of it. */
async function assertEnoughLocks(db: Queryable, tables: readonly string[], parts: number): Promise<void> {
  const [row] = await db.query<{ perPart: number; available: number; setting: number }>(
    `select (select count(*)::int from pg_class c left join pg_index i on i.indrelid = c.oid
         where c.relnamespace = 'provenance'::regnamespace and c.relname = any ($1::text[])) + $2::int as "perPart",
       current_setting('max_locks_per_transaction')::int as setting,
       current_setting('max_locks_per_transaction')::int
         * (current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int) as available`,
    [tables, tables.length],
  );
  if (row === undefined) return;
  const needed = 2 * row.perPart * (parts + 1);
  if (needed <= row.available) return;
  const setting = Math.ceil((row.setting * needed) / row.available);
  throw new NotPartitionableError(
    `${parts} partitions of each table need ${needed} locks, and the server has ${row.available}. Use fewer partitions (\`--parts\`), or set max_locks_per_transaction of PostgreSQL to ${setting} or more, and restart PostgreSQL.`,
  );
}
