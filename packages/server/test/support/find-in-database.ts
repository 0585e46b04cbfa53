import type { Database } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';

/**
 * Returns columns as `schema.table.column`. Searches for plain text, JSON text, hex, and base64 and base64url at three
 * offsets.
 */
export async function findInDatabases(
  { control, provenance }: Databases,
  sought: string | Uint8Array,
): Promise<string[]> {
  const forms = formsOf(sought);
  const places = await Promise.all([...new Set([control, provenance])].map((db) => findIn(db, forms)));
  return [...new Set(places.flat())].toSorted();
}

async function findIn(db: Database, forms: string[]): Promise<string[]> {
  const columns = await db.query<{ table: string; column: string }>(
    `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as table, quote_ident(a.attname) as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped
       and n.nspname !~ '^(pg_|information_schema$)'`,
  );
  if (columns.length < 100) throw new Error(`The search found only ${columns.length} columns`);
  const found: string[] = [];
  for (const { table, column } of columns) {
    // PostgreSQL casts `bytea` to text as hex digits, so the search also includes the hex digits of each form.
    const [row] = await db.query<{ found: boolean }>(
      `select exists (
         select 1 from ${table} r, unnest($1::text[]) as sought(form)
         where position(sought.form in r.${column}::text) > 0
           or position(sought.form in lower(r.${column}::text)) > 0) as found`,
      [forms],
    );
    if (row?.found) found.push(`${table}.${column}`);
  }
  return found;
}

export function formsOf(sought: string | Uint8Array): string[] {
  const bytes = Buffer.from(sought);
  const texts = typeof sought === 'string' ? [sought, JSON.stringify(sought).slice(1, -1)] : [];
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // Drops the digits that also contain bits of the neighbouring bytes.
    return encoded.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
  });
  const urlSafe = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const written = [...texts, bytes.toString('hex'), ...inBase64, ...urlSafe];
  return [...new Set([...written, ...written.map((text) => Buffer.from(text).toString('hex'))])];
}
