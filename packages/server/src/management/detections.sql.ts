import type { DetectionLayer } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';

/** Findings of the public detector for one project on one UTC day, such as `2026-08-02`. */
export interface DetectionCount {
  projectId: string;
  day: string;
  layer: DetectionLayer['kind'];
  confidence: DetectionLayer['confidence'];
  findings: number;
}

/** A meter numbers its batches in ascending order. */
export interface DetectionBatch {
  meterId: string;
  number: number;
  counts: readonly DetectionCount[];
}

/** All or nothing. Skips a batch that was added already. */
export async function addDetections(
  db: Queryable,
  { meterId, number, counts }: DetectionBatch,
): Promise<void> {
  await db.query('select control.add_detections($1, $2, $3::jsonb)', [
    meterId,
    number,
    JSON.stringify(counts),
  ]);
}

/** `countedSince`: the UTC day since which the service counts the findings of the project. */
export interface DetectionSums {
  countedSince: string;
  byLayer: Pick<DetectionCount, 'layer' | 'confidence' | 'findings'>[];
}

/** Both days are included. */
export async function sumDetections(
  db: Queryable,
  projectId: string,
  { first, last }: { first: string; last: string },
): Promise<DetectionSums> {
  const [row] = await db.query<DetectionSums>(
    `select least(
         greatest(
           (select (c.applied_at at time zone 'utc')::date from control.schema_change c
            where c.name = '0143-detection-counts.sql'),
           (select (p.created_at at time zone 'utc')::date from control.project p where p.id = $1)),
         (select min(d.day) from control.detection_day d where d.project_id = $1))::text as "countedSince",
       coalesce((select jsonb_agg(to_jsonb(sums)) from (
         select d.layer, d.confidence, sum(d.findings)::bigint as findings
         from control.detection_day d where d.project_id = $1 and d.day between $2::date and $3::date
         group by d.layer, d.confidence order by d.layer, d.confidence) sums), '[]') as "byLayer"`,
    [projectId, first, last],
  );
  if (row === undefined) throw new Error('The query for the findings of the detector returned no row');
  return row;
}
