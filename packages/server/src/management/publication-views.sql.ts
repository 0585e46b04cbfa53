import type { Queryable } from '../platform/db/database.js';
import type { CountBatch } from './count-meter.js';

export interface ViewedPublication {
  projectId: string;
  id: string;
}

/** All or nothing. Skips a batch that was added already. */
export async function addViews(
  db: Queryable,
  { meterId, number, counts }: CountBatch<ViewedPublication>,
): Promise<void> {
  await db.query('select control.add_views($1, $2, $3::jsonb)', [meterId, number, JSON.stringify(counts)]);
}
