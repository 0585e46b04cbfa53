import type { ProjectLimits } from '@colophon/model';

/** SQL: columns of a select list. In the query, `p` must be the table of projects. */
export const LIMIT_COLUMNS = `p.max_stored_bytes as "storedBytes", p.max_records as "records",
  p.max_requests_month as "requestsPerMonth", p.max_uploads as "concurrentUploads"`;

export function nestLimits<Row extends ProjectLimits>({
  storedBytes,
  records,
  requestsPerMonth,
  concurrentUploads,
  ...row
}: Row): Omit<Row, keyof ProjectLimits> & { limits: ProjectLimits } {
  return { ...row, limits: { storedBytes, records, requestsPerMonth, concurrentUploads } };
}

/** Does the same as `nestLimits`, but omits `limits` when the project has no limits. */
export function withLimits<Row extends ProjectLimits>(row: Row) {
  const { limits, ...rest } = nestLimits(row);
  const isUnlimited = Object.values(limits).every((limit) => limit === null);
  return isUnlimited ? rest : { ...rest, limits };
}
