import { vi } from 'vitest';
import { type Database, ownerOf, type Queryable } from '../../src/platform/db/database.js';

/** A statement with the number of bytes of values outside their rows (TOAST) that it read. */
export interface ReadValues {
  text: string;
  bytes: number;
}

const PAGE_BYTES = 8_192;

/**
 * The pages of all TOAST tables that this transaction has visited so far. PostgreSQL adds the counts to its statistics
 * after the transaction, so they are exact inside it (`pg_stat_get_xact_blocks_fetched`).
 */
const VISITED = `select coalesce(sum(pg_stat_get_xact_blocks_fetched(reltoastrelid)), 0)::float8 as pages
  from pg_class where reltoastrelid <> 0 and relnamespace in ('control'::regnamespace, 'provenance'::regnamespace)`;

const UNCOMPRESSED = `do $$ declare wide record; begin
  for wide in select attrelid::regclass as relation, attname from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace in ('control'::regnamespace, 'provenance'::regnamespace)
      and a.attnum > 0 and not a.attisdropped and a.attstorage = 'x'
  loop execute format('alter table %s alter %I set storage external', wide.relation, wide.attname); end loop;
end $$`;

/**
 * Stores the values of new rows without compression. The number of pages of a value is then that of its bytes, which
 * a compressed value takes after its decompression.
 */
export async function storeUncompressed(db: Queryable): Promise<void> {
  await db.query(UNCOMPRESSED);
}

/**
 * Measures each later statement on PostgreSQL, inside a transaction, until `vi.restoreAllMocks()`. Adds to the returned
 * list.
 */
export function watchToast(db: Database): ReadValues[] {
  const read: ReadValues[] = [];
  const transaction = db.transaction.bind(db);
  const measure = (query: Queryable['query']): Queryable['query'] =>
    async function measured<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]> {
      const before = await visitedPages(query);
      const rows = await query<Row>(text, parameters);
      read.push({ text, bytes: ((await visitedPages(query)) - before) * PAGE_BYTES });
      return rows;
    };
  vi.spyOn(db, 'transaction').mockImplementation((run, options) =>
    transaction((tx) => run({ ...tx, query: measure(tx.query) }), options),
  );
  vi.spyOn(db, 'query').mockImplementation((text, parameters = []) =>
    transaction((tx) => measure(tx.query)(text, parameters) as Promise<never[]>, {
      projectId: ownerOf(parameters),
    }),
  );
  return read;
}

async function visitedPages(query: Queryable['query']): Promise<number> {
  const [row] = await query<{ pages: number }>(VISITED);
  return row?.pages ?? 0;
}
