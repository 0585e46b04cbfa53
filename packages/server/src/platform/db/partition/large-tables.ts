import type { Queryable } from '../database.js';

/** Tables that grow with the records. Each of their keys begins with `project_id`. */
export const LARGE_TABLES = [
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

/** Arbitrary key of the advisory lock that prevents two copies at the same time. */
export const PARTITION_LOCK = 7_230_193;

/** Schema of the copies until they replace the tables. */
export const NEXT = 'provenance_next';
/** The comment on this schema begins with this text. The name of the command and the id of the run follow. */
const COPY_COMMENT = 'Copy by colophon db ';
const COPY_COMMENT_SHAPE = new RegExp(`^${COPY_COMMENT}(partition|distribute), run (.*)$`);

export type CopyCommand = 'partition' | 'distribute';

export const toCopyComment = (command: CopyCommand, runId: string) =>
  `${COPY_COMMENT}${command}, run ${runId}`;

/** Both are undefined for a schema that no command of the service created. */
export interface Copy {
  command: CopyCommand | undefined;
  runId: string | undefined;
}

/** Returns undefined without the schema of the copies. */
export async function readCopy(db: Queryable): Promise<Copy | undefined> {
  const [row] = await db.query<{ comment: string }>(
    `select coalesce(obj_description(oid, 'pg_namespace'), '') as comment from pg_namespace where nspname = '${NEXT}'`,
  );
  if (row === undefined) return undefined;
  const [, command, runId] = COPY_COMMENT_SHAPE.exec(row.comment) ?? [];
  return { command: command as CopyCommand | undefined, runId };
}

export class NotPartitionableError extends Error {}

export interface LargeTable {
  name: string;
  /** Quoted names of the columns, without generated columns. */
  columns: string[];
  /** Columns of the primary key, quoted. */
  key: string[];
  /** Shows whether a migration has changed the table. */
  shape: string;
}

/** By default, reads the large tables that are not partitioned. */
export function readTables(
  db: Queryable,
  names: readonly string[] = LARGE_TABLES,
  kinds: readonly string[] = ['r'],
): Promise<LargeTable[]> {
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
     where c.relnamespace = to_regnamespace('provenance') and c.relkind::text = any ($2::text[])
       and c.relname = any ($1::text[])
     order by array_position($1::text[], c.relname::text)`,
    [names, kinds],
  );
}
