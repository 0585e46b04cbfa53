import { ServiceError } from '../../errors.js';
import type { Database } from '../../platform/db/database.js';

/** `names`: number of content identifiers of the actions. `bytes`: size of the JSON. */
export interface BatchSize {
  records: number;
  names: number;
  bytes: number;
}

/** Beyond one of these sizes, a batch waits in the queue of large batches, which runs one of a project at a time. */
export const LARGE_BATCH: BatchSize = { records: 200, names: 1_000, bytes: 2 ** 19 };

export function toBatchKind({ records, names, bytes }: BatchSize): 'batch' | 'bulk' {
  const isLarge = records > LARGE_BATCH.records || names > LARGE_BATCH.names || bytes > LARGE_BATCH.bytes;
  return isLarge ? 'bulk' : 'batch';
}

type Lists = Record<'entities' | 'actions' | 'attributions', readonly unknown[]>;

/** Limits the records of one transaction, during which the embedded database runs nothing else. */
export function assertFewRecords(
  { entities, actions, attributions }: Lists,
  { most, subject, recovery }: { most: number; subject: string; recovery: string },
): void {
  const records = entities.length + actions.length + attributions.length;
  if (records <= most) return;
  throw new ServiceError(
    'PayloadTooLarge',
    `${subject} has ${records} entities, actions and attributions; at most ${most} are allowed (MAX_BATCH_RECORDS).`,
    {
      recovery: `${recovery}, or ask the operator to raise MAX_BATCH_RECORDS (at most 3000).`,
      details: { records, maxRecords: most },
      bound: 'MAX_BATCH_RECORDS',
    },
  );
}

/** Share of MAX_BATCH_RECORDS for actions that the embedded database writes one by one, which takes long. */
const SERIAL_SHARE = 1 / 4;

/** Returns undefined if there is no limit. */
export function toMaxSerialActions(engine: Database['engine'], maxBatchRecords: number): number | undefined {
  return engine === 'pglite' ? Math.floor(maxBatchRecords * SERIAL_SHARE) : undefined;
}

/** `recovery`: the first part of a list of remedies. */
export function tooManySerial(
  { actions, most }: { actions: number; most: number },
  { subject, recovery }: Record<'subject' | 'recovery', string>,
): ServiceError {
  return new ServiceError(
    'PayloadTooLarge',
    `${subject} has ${actions} actions that the embedded database must write one by one; at most ${most} are allowed (a quarter of MAX_BATCH_RECORDS).`,
    {
      recovery: `${recovery}, or ask the operator to use PostgreSQL or to raise MAX_BATCH_RECORDS (at most 3000).`,
      details: { actions, maxActions: most },
      bound: 'MAX_BATCH_RECORDS',
    },
  );
}

/** `bytes`: size of the JSON. */
export function sizeOfBatch({ entities, actions, attributions }: Lists, bytes: number): BatchSize {
  return {
    records: entities.length + actions.length + attributions.length,
    names: countNames(actions),
    bytes,
  };
}

export const LISTS = ['inputCids', 'outputCids'] as const;

/** The actions may be values that no schema has checked yet. */
export function countNames(actions: readonly unknown[]): number {
  let count = 0;
  for (const action of actions) for (const list of LISTS) count += listOf(Object(action)[list]).length;
  return count;
}

/** The schema rejects a value that is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
