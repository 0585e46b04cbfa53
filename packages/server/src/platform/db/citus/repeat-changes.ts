import type { Database, Queryable, Tx } from '../database.js';
import { type LargeTable, NEXT } from '../partition/large-tables.js';

/** The table of the keys that triggers noted. It can have a key several times. */
export const toNoted = (name: string) => `${NEXT}.noted_${name}`;
/** The table of the distinct keys whose rows a transaction copies again. It is empty between transactions. */
export const toTaken = (name: string) => `${NEXT}.taken_${name}`;

/** Maximum number of deleted rows that one statement names. */
const DELETIONS_AT_ONCE = 500;

/** Settings on which the text form of a value depends. Citus also sets them on the other nodes. */
const SAME_TEXTS = `set local citus.propagate_set_commands = 'local';
  set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'`;

/** Returns the number of distinct keys. */
export async function repeatAllChanges(db: Database, tables: readonly LargeTable[]): Promise<number> {
  let keys = 0;
  for (const table of await listChanged(db, tables))
    keys += await inOneSnapshot(db, (tx) => repeatChanges(tx, table));
  return keys;
}

export async function listChanged(
  db: Queryable,
  tables: readonly LargeTable[],
): Promise<readonly LargeTable[]> {
  const rows = await db.query<{ name: string }>(
    tables
      .map(({ name }) => `select '${name}' as name where exists (select from ${toNoted(name)})`)
      .join(' union all '),
  );
  return tables.filter((table) => rows.some(({ name }) => name === table.name));
}

export async function verifyCopy(db: Database, table: LargeTable): Promise<void> {
  await inOneSnapshot(db, async (tx) => {
    await repeatChanges(tx, table);
    await assertEqual(tx, table);
  });
}

/** In one snapshot, a copy equals its table as soon as all noted changes are repeated. */
function inOneSnapshot<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.exec(
      `set transaction isolation level repeatable read; set local statement_timeout = 0; ${SAME_TEXTS}`,
    );
    return run(tx);
  });
}

/** Copies the present state of each noted row, or deletes it from the copy. Returns the number of distinct keys. */
export async function repeatChanges(tx: Tx, { name, key, columns }: LargeTable): Promise<number> {
  const keys = key.join(', ');
  const [taken] = await tx.query<{ count: number }>(
    `with noted as (delete from ${toNoted(name)} returning *),
       taken as (insert into ${toTaken(name)} select distinct * from noted returning 1)
     select count(*)::int as count from taken`,
  );
  if (taken === undefined || taken.count === 0) return 0;
  const same = key.map((column) => `t.${column} = k.${column}`).join(' and ');
  const gone = await tx.query<{ key: string }>(
    `select format('(%s)', concat_ws(', ', ${key.map((column) => `quote_literal(k.${column})`).join(', ')})) as key
     from ${toTaken(name)} k where not exists (select from provenance.${name} t where ${same})`,
  );
  for (let first = 0; first < gone.length; first += DELETIONS_AT_ONCE) {
    const named = gone.slice(first, first + DELETIONS_AT_ONCE).map((row) => row.key);
    await tx.query(`delete from ${NEXT}.${name} where (${keys}) in (${named.join(', ')})`);
  }
  const others = columns.filter((column) => !key.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  await tx.query(
    `insert into ${NEXT}.${name} (${columns.join(', ')})
     select ${columns.map((column) => `t.${column}`).join(', ')}
     from provenance.${name} t join ${toTaken(name)} k on ${same}
     on conflict (${keys}) do ${others.length === 0 ? 'nothing' : `update set ${set}`}`,
  );
  await tx.query(`delete from ${toTaken(name)}`);
  return taken.count;
}

async function assertEqual(db: Queryable, { name, columns }: LargeTable): Promise<void> {
  const values = columns.map((column) => `t.${column}`).join(', ');
  const sum = async (schema: string) => {
    const [row] = await db.query<{ sum: string }>(
      `select concat_ws(' ', count(*), sum(hashtextextended(row(${values})::text, 0))) as sum from ${schema}.${name} t`,
    );
    return row?.sum;
  };
  const [rows, copied] = [await sum('provenance'), await sum(NEXT)];
  if (rows !== copied)
    throw new Error(`The copy of provenance.${name} is not complete (${copied} instead of ${rows}).`);
}
