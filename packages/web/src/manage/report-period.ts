const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
/** Limit of the API. */
export const MAX_REPORT_DAYS = 366;

/** UTC days such as `2026-11-28`, both included. */
export interface ReportPeriod {
  from: string;
  until: string;
}

export function usualPeriod(now: Date): ReportPeriod {
  const until = now.toISOString().slice(0, 10);
  return { from: moveDay(until, 1 - USUAL_DAYS), until };
}

/** Returns an empty text for an invalid day, such as that of an empty field. */
export function moveDay(day: string, days: number): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? '' : new Date(at + days * DAY_MS).toISOString().slice(0, 10);
}

/** `to` is exclusive, so it is the day after `until`. If `until` is today, the report ends at the present instant. */
export function toReportPath(
  projectId: string,
  { from, until, today }: ReportPeriod & { today: string },
): string {
  const query = new URLSearchParams(until < today ? { from, to: moveDay(until, 1) } : { from });
  return `/app/api/projects/${projectId}/v1/compliance/report?${query}`;
}
