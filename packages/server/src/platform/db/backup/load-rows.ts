import type { Database, Tx } from '../database.js';
import { LAYERS, type Layer } from '../layers.js';
import { type AppliedChange, applySameMigrations, migrate } from '../migrate.js';
import type { TableShape } from './tables.js';

export async function makeTables(
  tx: Tx,
  applied: Readonly<Record<Layer, readonly AppliedChange[]>>,
  tables: readonly TableShape[],
): Promise<void> {
  for (const layer of LAYERS) await applySameMigrations(tx, layer, applied[layer]);
  // Migrations insert rows that the backup contains too.
  for (const { name } of tables.toReversed()) await tx.exec(`delete from ${name}`);
}

export async function migrateLoaded(tx: Tx, engine: Database['engine']): Promise<void> {
  const within: Database = {
    engine,
    query: tx.query,
    transaction: (run) => run(tx),
    close: async () => {},
  };
  for (const layer of LAYERS) await migrate(within, layer);
  // Gives each project a new revision, because the restored database must not reuse revisions of the saved database.
  await tx.query(
    'select provenance.note_change(d.project_id) from provenance.anchor_due d order by d.project_id',
  );
}

export async function loadRows(
  tx: Tx,
  { name, columns }: TableShape,
  rows: readonly string[],
): Promise<void> {
  const values = columns.map(({ type }, index) => `(given.texts->>${index})::${type}`).join(', ');
  await tx.query(
    `insert into ${name} (${columns.map((column) => column.name).join(', ')})
     select ${values} from jsonb_array_elements($1::jsonb) as given(texts)`,
    [`[${rows.join(',')}]`],
  );
}
