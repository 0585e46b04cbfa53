import { vi } from 'vitest';
import { type Database, ownerOf, type Queryable } from '../../src/platform/db/database.js';

/** `bytes`: read from values stored outside their rows (TOAST). */
export interface ReadValues {
  text: string;
  bytes: number;
}

/** PostgreSQL stores such a value in parts of this size (`TOAST_MAX_CHUNK_SIZE`). */
const PART_BYTES = 1_996;

/**
 * Counts the parts that this transaction has read or deleted so far. PostgreSQL moves the counts to its statistics when
 * the transaction ends.
 */
const READ_PARTS = `select coalesce(sum(pg_stat_get_xact_tuples_fetched(i.indexrelid)), 0)::float8 as parts
  from pg_class c join pg_index i on i.indrelid = c.reltoastrelid
  where c.relnamespace in ('control'::regnamespace, 'provenance'::regnamespace)`;

const UNCOMPRESSED = `do $$ declare wide record; begin
  for wide in select attrelid::regclass as relation, attname from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace in ('control'::regnamespace, 'provenance'::regnamespace)
      and a.attnum > 0 and not a.attisdropped and a.attstorage = 'x'
  loop execute format('alter table %s alter %I set storage external', wide.relation, wide.attname); end loop;
end $$`;

/** Without compression, the number of parts of a value shows its full size. */
export async function storeUncompressed(db: Queryable): Promise<void> {
  await db.query(UNCOMPRESSED);
}

/** Runs each later statement inside a transaction and measures it, until `vi.restoreAllMocks()`. */
export function watchToast(db: Database): ReadValues[] {
  const read: ReadValues[] = [];
  const transaction = db.transaction.bind(db);
  const measure = (query: Queryable['query']): Queryable['query'] =>
    async function measured<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]> {
      const before = await countParts(query);
      const rows = await query<Row>(text, parameters);
      read.push({ text, bytes: ((await countParts(query)) - before) * PART_BYTES });
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

async function countParts(query: Queryable['query']): Promise<number> {
  const [row] = await query<{ parts: number }>(READ_PARTS);
  return row?.parts ?? 0;
}
