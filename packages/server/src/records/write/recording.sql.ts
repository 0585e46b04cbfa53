import type { Queryable } from '../../platform/db/database.js';
import type { Expected } from './fresh-items.js';
import type { BatchOutcome, Outcome } from './outcome.js';

/** Records a batch of JSON items of one project; an outcome each, in order. */
export async function record(db: Queryable, projectId: string, items: readonly string[]): Promise<Outcome[]> {
  const [row] = await db.query<{ outcomes: Outcome[] }>(
    'select provenance.record($1, $2::jsonb) as outcomes',
    [projectId, `[${items.join(',')}]`],
  );
  return row?.outcomes ?? [];
}

/** Records items of one project together or not at all; a trial writes nothing. An outcome each, in order. */
export async function recordTogether(
  db: Queryable,
  projectId: string,
  { items, isTrial }: { items: readonly unknown[]; isTrial: boolean },
): Promise<Outcome[]> {
  const [row] = await db.query<{ outcomes: Outcome[] }>(
    'select provenance.record_all($1, $2::jsonb, $3) as outcomes',
    [projectId, JSON.stringify(items), isTrial],
  );
  return row?.outcomes ?? [];
}

/** Records items of one request together or not at all; a repetition with the same key gets the first answer. */
export async function recordBatch(
  db: Queryable,
  projectId: string,
  { items, key }: { items: readonly unknown[]; key?: object | undefined },
): Promise<BatchOutcome> {
  const [row] = await db.query<{ outcome: BatchOutcome }>(
    'select provenance.record_batch($1, $2::jsonb, $3::jsonb) as outcome',
    [projectId, JSON.stringify(items), key === undefined ? null : JSON.stringify(key)],
  );
  if (row === undefined) throw new Error('A batch was not answered');
  return row.outcome;
}

/** What a batch with this key was answered; undefined when there was none. */
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

/** What became of a batch: when the first fresh item was recorded, and the outcomes of the others by their places from 1. */
export interface FreshOutcome {
  /** Microseconds since 1970; each further fresh item follows a microsecond later. */
  at: number;
  apart: number[];
  outcomes: Outcome[];
}

/** Records a batch of JSON items of one project; those that are as expected need no decision and are written first. */
export async function recordFresh(
  db: Queryable,
  projectId: string,
  { items, expected }: { items: readonly string[]; expected: Expected },
): Promise<FreshOutcome> {
  const [row] = await db.query<{ outcome: FreshOutcome }>(
    'select provenance.record_fresh($1, $2::jsonb, $3::jsonb) as outcome',
    [projectId, `[${items.join(',')}]`, JSON.stringify(expected)],
  );
  if (row === undefined) throw new Error('A recording was not answered');
  return row.outcome;
}

/** Records the items of one request when all are as expected; writes nothing and resolves to false otherwise. */
export async function recordFreshBatch(
  db: Queryable,
  projectId: string,
  { items, expected, kept }: { items: readonly unknown[]; expected: Expected; kept: object | undefined },
): Promise<boolean> {
  const [row] = await db.query<{ recorded: boolean }>(
    'select provenance.record_fresh_batch($1, $2::jsonb, $3::jsonb, $4::jsonb) as recorded',
    [
      projectId,
      JSON.stringify(items),
      JSON.stringify(expected),
      kept === undefined ? null : JSON.stringify(kept),
    ],
  );
  return row?.recorded === true;
}

/** The places from 1 of items that need a decision before they are written; the others would be written as they are. */
export async function readUnexpected(
  db: Queryable,
  projectId: string,
  expected: Expected,
): Promise<Set<number>> {
  const [row] = await db.query<{ places: number[] }>(
    'select provenance.unexpected_places($1, $2::jsonb) as places',
    [projectId, JSON.stringify(expected)],
  );
  if (row === undefined) throw new Error('A check was not answered');
  return new Set(row.places);
}

/** Why the item would not be written now; undefined when it would. */
export async function decide(db: Queryable, projectId: string, item: unknown): Promise<Outcome | undefined> {
  const [row] = await db.query<{ outcome: Outcome | null }>(
    'select provenance.decide($1, $2::jsonb) as outcome',
    [projectId, JSON.stringify(item)],
  );
  return row?.outcome ?? undefined;
}
