import type { Queryable } from '../database.js';
import type { Layer } from '../layers.js';

export interface TableShape {
  layer: Layer;
  /** Schema and name, both quoted. */
  name: string;
  /** Quoted names and types of the columns, without generated columns. */
  columns: { name: string; type: string }[];
}

/**
 * A table follows the tables that its foreign keys refer to. Omits `schema_change` and `revision`, whose rows a restore
 * creates, and `thumbnail`, whose rows the service makes again. A partitioned table is one entry.
 */
export async function listTables(db: Queryable): Promise<TableShape[]> {
  const rows = await db.query<TableShape & { refersTo: string[] }>(
    `select n.nspname as layer, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
       (select jsonb_agg(jsonb_build_object(
          'name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select quote_ident(rn.nspname) || '.' || quote_ident(r.relname) from pg_constraint f
          join pg_class r on r.oid = f.confrelid join pg_namespace rn on rn.oid = r.relnamespace
          where f.conrelid = c.oid and f.contype = 'f') as "refersTo"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('control', 'provenance')
       and c.relname not in ('schema_change', 'revision', 'thumbnail')
     order by 2`,
  );
  return inOrder(rows).map(({ layer, name, columns }) => ({ layer, name, columns }));
}

function inOrder<Row extends { name: string; refersTo: string[] }>(rows: readonly Row[]): Row[] {
  const ordered: Row[] = [];
  const waiting = [...rows];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ refersTo }) =>
      refersTo.every((target) => ordered.some(({ name }) => name === target)),
    );
    const [row] = waiting.splice(next, 1);
    if (next === -1 || row === undefined) throw new Error('The foreign keys of the tables form a cycle');
    ordered.push(row);
  }
  return ordered;
}
