import type { Database, Queryable, Tx } from '../database.js';
import { readDependents, readPortions } from '../partition/copy-tables.js';
import { NOTING_TRIGGER } from '../partition/drop-copy.js';
import { type LargeTable, NEXT, toCopyComment } from '../partition/large-tables.js';
import type { PartitionOptions, PartitionRun } from '../partition/partition-options.js';
import { toLockGently, whileLocking } from '../partition/while-locking.js';
import type { GateOptions } from './close-gate.js';
import { distributeTable } from './cluster-functions.js';
import { toNoted, toTaken, verifyCopy } from './repeat-changes.js';

/** The options of a distribution. Citus decides the number of shards. */
export type DistributeOptions = Omit<PartitionOptions, 'parts'> & GateOptions;
export type DistributeRun = Omit<PartitionRun, 'parts'> & GateOptions;

/**
 * Fills distributed copies while the service changes the tables. Triggers note the keys of changed rows on the
 * coordinator, so no request waits for another node. At the end, a copy lacks only the changes noted after its
 * comparison.
 */
export async function copyToShards(
  db: Database,
  tables: readonly LargeTable[],
  options: DistributeRun,
): Promise<void> {
  await db.transaction((tx) =>
    tx.exec(
      `create schema ${NEXT}; comment on schema ${NEXT} is '${toCopyComment('distribute', options.runId)}'`,
    ),
  );
  for (const table of tables) {
    options.signal?.throwIfAborted();
    await db.transaction((tx) => createCopy(tx, table));
  }
  // Each trigger has its own transaction, so that this process never waits for a table while it locks another table.
  for (const { name } of tables)
    await whileLocking(options, () =>
      db.transaction((tx) =>
        tx.exec(`${toLockGently([`provenance.${name}`])}
          create trigger ${NOTING_TRIGGER} after insert or update or delete on provenance.${name}
            for each row execute function ${NEXT}.note_${name}()`),
      ),
    );
  for (const table of tables) await copyRows(db, table, options);
  for (const table of tables) {
    options.signal?.throwIfAborted();
    await verifyCopy(db, table);
    await db.query(`analyze ${NEXT}.${table.name}`);
  }
}

async function createCopy(tx: Tx, table: LargeTable): Promise<void> {
  const { name } = table;
  const copy = `${NEXT}.${name}`;
  await tx.exec(`set local client_min_messages = 'warning';
    create table ${copy} (like provenance.${name} including all excluding indexes);
    ${[...(await readStorage(tx, name)), ...(await readDependents(tx, name))].join(';\n')}`);
  await distributeTable(tx, NEXT, name);
  await createNotes(tx, table);
}

/** `like` does not copy storage parameters. */
async function readStorage(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx.query<{ step: string }>(
    `select format('alter table %s set (%s)', $2::text, array_to_string(reloptions, ', ')) as step
     from pg_class where relnamespace = 'provenance'::regnamespace and relname = $1 and reloptions is not null`,
    [name, `${NEXT}.${name}`],
  );
  return rows.map(({ step }) => step);
}

/** Creates the objects that note the keys of changed rows, on the coordinator only. */
async function createNotes(tx: Tx, { name, key }: LargeTable): Promise<void> {
  const toRow = (row: 'old' | 'new') => key.map((column) => `${row}.${column}`).join(', ');
  await tx.exec(`set local citus.enable_ddl_propagation = off;
    create table ${toNoted(name)} as select ${key.join(', ')} from provenance.${name} with no data;
    create table ${toTaken(name)} (like ${toNoted(name)});
    create function ${NEXT}.note_${name}() returns trigger language plpgsql
    security definer set search_path = '' as $note$
    begin
      if tg_op <> 'INSERT' then
        insert into ${toNoted(name)} values (${toRow('old')});
      end if;
      if tg_op = 'INSERT' or (tg_op = 'UPDATE' and (${toRow('old')}) is distinct from (${toRow('new')})) then
        insert into ${toNoted(name)} values (${toRow('new')});
      end if;
      return null;
    end $note$`);
}

/** May copy an outdated row: the trigger has noted its change, and a later step repeats the change in the copy. */
async function copyRows(db: Database, table: LargeTable, options: DistributeOptions): Promise<void> {
  const list = table.columns.join(', ');
  for (const leaf of await listLeaves(db, table.name))
    for (const { range, bytes } of await readPortions(db, leaf, options)) {
      options.signal?.throwIfAborted();
      const [first, next] = range;
      await db.query(
        `insert into ${NEXT}.${table.name} (${list})
         select ${list} from ${leaf} where ctid >= '${first}' and ctid < '${next}' on conflict do nothing`,
      );
      await options.advance?.(bytes);
    }
}

/** Lists the partitions of a table, or the table itself. */
async function listLeaves(db: Queryable, name: string): Promise<string[]> {
  const rows = await db.query<{ leaf: string }>(
    `select c.oid::regclass::text as leaf from pg_class c
     where c.relkind = 'r' and (c.oid = $1::regclass
       or c.oid in (select relid from pg_partition_tree($1::regclass) where isleaf))
     order by 1`,
    [`provenance.${name}`],
  );
  return rows.map(({ leaf }) => leaf);
}
