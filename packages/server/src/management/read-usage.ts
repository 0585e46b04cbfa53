import type { RequestLog, Usage } from '@colophon/model';
import { type Database, type Queryable, untilAborted } from '../platform/db/database.js';
import { turnOfProject } from './change.js';
import type { Actor, ManagementDeps } from './deps.js';
import { requireProjectRow } from './read-project.js';
import { requireMember } from './require-member.js';
import { listLogLines, readUsageTotals, sumUsage, type UsageSum } from './usage.sql.js';

const DAY_MS = 86_400_000;
/** The response's `month` covers today and the 29 days before it, in UTC. */
const PERIOD_DAYS = 30;

export async function readProjectUsage(
  deps: ManagementDeps,
  { userId, signal }: Actor,
  projectId: string,
): Promise<Usage> {
  await requireMember(deps.control, { accountId: userId, projectId }, 'usage.read');
  const report = async () => {
    await deps.totals.write();
    const usage = await readUsage(untilAborted(deps.control, signal), projectId, new Date());
    return { ...usage, quota: await readQuota(deps, projectId) };
  };
  const turn = { ...(await turnOfProject(deps.control, projectId)), caller: userId };
  return deps.limitReports(turn, report, signal);
}

async function readQuota(deps: ManagementDeps, projectId: string): Promise<Usage['quota']> {
  const { limits } = await requireProjectRow(deps, deps.control, projectId);
  const { requestsThisMonth, storedBytes } = await readUsageTotals(deps.control, projectId, new Date());
  return {
    storedBytes: { used: storedBytes, limit: limits.storedBytes },
    records: { used: await deps.totals.countRecords(projectId), limit: limits.records },
    requestsThisMonth: { used: requestsThisMonth, limit: limits.requestsPerMonth },
  };
}

/** Counts that a node has not written yet are missing. */
export async function readUsage(
  control: Queryable,
  projectId: string,
  now: Date,
): Promise<Omit<Usage, 'quota'>> {
  const dates = Array.from({ length: PERIOD_DAYS }, (_, index) =>
    toDate(now.getTime() - (PERIOD_DAYS - 1 - index) * DAY_MS),
  );
  const period = { first: toDate(now.getTime() - (PERIOD_DAYS - 1) * DAY_MS), last: toDate(now.getTime()) };
  const sums = await sumUsage(control, projectId, period);
  const total = sums.find(({ day, status, keyId }) => day === null && status === null && keyId === null);
  if (total === undefined)
    throw new Error('The query for the usage returned no row with the total of all calls');
  const days = new Map(sums.map((sum) => [sum.day, sum]));
  const { calls, successes, bytesStored, actionsRecorded } = total;
  return {
    summary: { totalCalls: calls, successRate: toRate(successes, calls), period: 'month' },
    byDay: dates.map((date) => {
      const sum = days.get(date);
      return { date, total: sum?.calls ?? 0, success: sum?.successes ?? 0 };
    }),
    bytesStored,
    actionsRecorded,
    byStatus: sums.flatMap((sum) => (sum.status === null ? [] : [{ status: sum.status, calls: sum.calls }])),
    byKey: sums.flatMap((sum) => (sum.keyId === null ? [] : [toKeyUsage(sum.keyId, sum)])),
  };
}

function toKeyUsage(keyId: string, { calls, bytesStored, actionsRecorded }: UsageSum) {
  return { keyId, calls, bytesStored, actionsRecorded };
}

function toRate(successes: number, calls: number): number {
  return calls === 0 ? 100 : Math.round((successes / calls) * 1000) / 10;
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Maximum number of calls in a response. */
export const MAX_LOGS = 100;

export async function readProjectLogs(
  { control, totals }: ManagementDeps,
  { userId }: Actor,
  { projectId, limit }: { projectId: string; limit: number },
): Promise<RequestLog> {
  await requireMember(control, { accountId: userId, projectId }, 'usage.read');
  await totals.write();
  return readLogs(control, projectId, limit);
}

export async function readLogs(control: Database, projectId: string, limit: number): Promise<RequestLog> {
  const lines = await listLogLines(control, projectId, Math.min(limit, MAX_LOGS));
  return { logs: lines.map(({ at, ...line }) => ({ ...line, timestamp: at.toISOString() })) };
}
