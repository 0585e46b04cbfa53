import type { Queryable } from '../platform/db/database.js';

/** Requests of one key on one UTC day, with one status. */
export interface UsageCount {
  projectId: string;
  keyId: string;
  /** For example `2026-08-02`. */
  day: string;
  status: number;
  calls: number;
  bytesStored: number;
  actionsRecorded: number;
}

export interface LogLine {
  projectId: string;
  id: string;
  endpoint: string;
  resourceType?: string | undefined;
  statusCode: number;
  keyId: string;
  at: Date;
}

/** A meter numbers its batches in ascending order. */
export interface UsageBatch {
  meterId: string;
  number: number;
  counts: readonly UsageCount[];
  lines: readonly LogLine[];
}

/** All or nothing. Skips a batch that was added already. */
export async function addUsage(db: Queryable, { meterId, number, counts, lines }: UsageBatch): Promise<void> {
  await db.query('select control.add_usage($1, $2, $3::jsonb, $4::jsonb)', [
    meterId,
    number,
    JSON.stringify(counts),
    JSON.stringify(lines),
  ]);
}

/** A total of one day, status or key (the other two are null), or of all calls (all three are null). */
export interface UsageSum {
  day: string | null;
  status: number | null;
  keyId: string | null;
  calls: number;
  successes: number;
  bytesStored: number;
  actionsRecorded: number;
}

/** Maximum number of listed keys, those with the most calls. */
const MAX_KEYS = 1_000;

/** Both days are included. The total over all calls is always present. */
export function sumUsage(
  db: Queryable,
  projectId: string,
  { first, last }: { first: string; last: string },
): Promise<UsageSum[]> {
  return db.query<UsageSum>(
    `select sums.day, sums.status, sums."keyId", sums.calls, sums.successes, sums."bytesStored", sums."actionsRecorded"
     from (
       select day::text, status, key_id as "keyId", coalesce(sum(calls), 0)::bigint as calls,
         coalesce(sum(calls) filter (where status < 400), 0)::bigint as successes,
         coalesce(sum(bytes_stored), 0)::bigint as "bytesStored",
         coalesce(sum(actions_recorded), 0)::bigint as "actionsRecorded",
         row_number() over (partition by key_id is null order by coalesce(sum(calls), 0) desc, key_id) as place
       from control.usage_day where project_id = $1 and day between $2::date and $3::date
       group by grouping sets ((), (day), (status), (key_id))
     ) sums
     where sums."keyId" is null or sums.place <= ${MAX_KEYS}
     order by sums.day, sums.status, sums."keyId"`,
    [projectId, first, last],
  );
}

/** The usage of a project so far, over all its keys. */
export interface UsageTotals {
  /** Requests in this calendar month, in UTC. */
  requestsThisMonth: number;
  storedBytes: number;
}

/** `now` decides the present month. */
export async function readUsageTotals(db: Queryable, projectId: string, now: Date): Promise<UsageTotals> {
  const [row] = await db.query<UsageTotals>(
    `select coalesce(sum(calls) filter (where month >= $2::date), 0)::bigint as "requestsThisMonth",
       coalesce(sum(bytes_stored), 0)::bigint as "storedBytes"
     from control.usage_month where project_id = $1`,
    [projectId, `${now.toISOString().slice(0, 7)}-01`],
  );
  return row ?? { requestsThisMonth: 0, storedBytes: 0 };
}

export function listLogLines(
  db: Queryable,
  projectId: string,
  limit: number,
): Promise<(Omit<LogLine, 'projectId' | 'keyId' | 'resourceType'> & { resourceType: string | null })[]> {
  return db.query(
    `select id, endpoint, resource_type as "resourceType", status_code as "statusCode", at
     from control.request_log where project_id = $1 order by id desc limit $2`,
    [projectId, limit],
  );
}
