const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
/** Maximum number of days of a report, like in the API. */
export const MAX_REPORT_DAYS = 366;

/** UTC days such as `2026-11-28`, both included. */
export interface ReportPeriod {
  from: string;
  until: string;
}

/** Returns the last 30 UTC days, including today. */
export function usualPeriod(now: Date): ReportPeriod {
  const until = now.toISOString().slice(0, 10);
  return { from: moveDay(until, 1 - USUAL_DAYS), until };
}

/** Returns the day that is `days` later. Returns an empty text for an invalid day, such as that of an empty field. */
export function moveDay(day: string, days: number): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? '' : new Date(at + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns the address of the report for the signed-in user. The report ends at the start of the day `to`, so `to` is
 * the day after `until`. If `until` is today, the address has no `to`, and the report ends at the present instant.
 */
export function toReportPath(
  projectId: string,
  { from, until, today }: ReportPeriod & { today: string },
): string {
  const query = new URLSearchParams(until < today ? { from, to: moveDay(until, 1) } : { from });
  return `/app/api/projects/${projectId}/v1/compliance/report?${query}`;
}
