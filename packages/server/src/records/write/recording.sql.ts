import type { Queryable } from '../../platform/db/database.js';
import type { Expected } from './fresh-items.js';
import type { BatchOutcome, Outcome } from './outcome.js';

/** Records the items one after the other. Returns one outcome per item, in order. */
export async function record(db: Queryable, projectId: string, items: readonly string[]): Promise<Outcome[]> {
  const [row] = await db.query<{ outcomes: Outcome[] }>(
    'select provenance.record($1, $2::jsonb) as outcomes',
    [projectId, `[${items.join(',')}]`],
  );
  return row?.outcomes ?? [];
}

/** Records all items or none. A trial writes nothing. */
export async function recordTogether(
  db: Queryable,
  projectId: string,
  { items, isTrial }: { items: readonly string[]; isTrial: boolean },
): Promise<Outcome[]> {
  const [row] = await db.query<{ outcomes: Outcome[] }>(
    'select provenance.record_all_or_none($1, $2::jsonb, null, $3) as outcomes',
    [projectId, `[${items.join(',')}]`, isTrial],
  );
  return row?.outcomes ?? [];
}

/** Records all items or none. A repeated request with the same key gets the first outcome. */
export async function recordBatch(
  db: Queryable,
  projectId: string,
  { items, expected, key }: { items: readonly string[]; expected: Expected; key?: object | undefined },
): Promise<BatchOutcome> {
  const [row] = await db.query<{ outcome: BatchOutcome }>(
    'select provenance.record_batch($1, $2::jsonb, $3::jsonb, $4::jsonb) as outcome',
    [
      projectId,
      `[${items.join(',')}]`,
      JSON.stringify(expected),
      key === undefined ? null : JSON.stringify(key),
    ],
  );
  if (row === undefined) throw new Error('provenance.record_batch() returned no row');
  return row.outcome;
}

export async function readKeptBatch(
  db: Queryable,
  projectId: string,
  key: object,
): Promise<BatchOutcome | undefined> {
  const [row] = await db.query<{ outcome: BatchOutcome | null }>(
    'select provenance.idempotent_outcome($1, $2::jsonb) as outcome',
    [projectId, JSON.stringify(key)],
  );
  return row?.outcome ?? undefined;
}

export interface FreshOutcome {
  /** Time of the first fresh item, in microseconds since 1970. Each further fresh item is 1 microsecond later. */
  at: number;
  /** Positions (from 1) of the items that the database checked separately. */
  apart: number[];
  outcomes: Outcome[];
}

/** Records fresh items (see `Expected`) first, then the others one by one. */
export async function recordFresh(
  db: Queryable,
  projectId: string,
  { items, expected }: { items: readonly string[]; expected: Expected },
): Promise<FreshOutcome> {
  const [row] = await db.query<{ outcome: FreshOutcome }>(
    'select provenance.record_fresh($1, $2::jsonb, $3::jsonb) as outcome',
    [projectId, `[${items.join(',')}]`, JSON.stringify(expected)],
  );
  if (row === undefined) throw new Error('provenance.record_fresh() returned no row');
  return row.outcome;
}

/** Records the items if all are fresh. Otherwise writes nothing and resolves to false. */
export async function recordFreshBatch(
  db: Queryable,
  projectId: string,
  { items, expected, kept }: { items: readonly string[]; expected: Expected; kept: object | undefined },
): Promise<boolean> {
  const [row] = await db.query<{ recorded: boolean }>(
    'select provenance.record_fresh_batch($1, $2::jsonb, $3::jsonb, $4::jsonb) as recorded',
    [
      projectId,
      `[${items.join(',')}]`,
      JSON.stringify(expected),
      kept === undefined ? null : JSON.stringify(kept),
    ],
  );
  return row?.recorded === true;
}

/** Returns the positions, from 1, of the items that `decide` must check. */
export async function readItemsNeedingDecision(
  db: Queryable,
  projectId: string,
  expected: Expected,
): Promise<Set<number>> {
  const [row] = await db.query<{ positions: number[] }>(
    'select provenance.items_needing_serial_write($1, $2::jsonb) as positions',
    [projectId, JSON.stringify(expected)],
  );
  if (row === undefined) throw new Error('provenance.items_needing_serial_write() returned no row');
  return new Set(row.positions);
}

/**
 * Returns undefined if the database can write the item. Otherwise returns the outcome: a refusal, or the records that
 * an earlier equal request wrote.
 */
export async function decide(db: Queryable, projectId: string, item: unknown): Promise<Outcome | undefined> {
  const [row] = await db.query<{ outcome: Outcome | null }>(
    'select provenance.decide($1, $2::jsonb) as outcome',
    [projectId, JSON.stringify(item)],
  );
  return row?.outcome ?? undefined;
}
