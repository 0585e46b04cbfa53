import type { Database } from '../db/database.js';
import { listLogLines, sumUsage, type UsageSum } from './usage.sql.js';

const DAY_MS = 86_400_000;
/** What `month` means: today and the 29 days before it, in UTC. */
const PERIOD_DAYS = 30;

/** What a project did in the last 30 days. A call succeeded when its status is below 400. */
export interface Usage {
  /** `successRate` is a percentage with one decimal; 100 when there were no calls. */
  summary: { totalCalls: number; successRate: number; period: 'month' };
  /** Every day of the period, oldest first; zeros for a day without calls. */
  byDay: { date: string; total: number; success: number }[];
  bytesStored: number;
  actionsRecorded: number;
  byStatus: { status: number; calls: number }[];
  /** `keyId` is a key's id, `static:...` for one of the configuration, or `other` (see `createTally`). */
  byKey: { keyId: string; calls: number; bytesStored: number; actionsRecorded: number }[];
}

/** The usage of a project up to `now`, as far as it was written: the last few seconds may be missing. */
export async function readUsage(control: Database, projectId: string, now: Date): Promise<Usage> {
  const dates = Array.from({ length: PERIOD_DAYS }, (_, index) =>
    toDate(now.getTime() - (PERIOD_DAYS - 1 - index) * DAY_MS),
  );
  const period = { first: toDate(now.getTime() - (PERIOD_DAYS - 1) * DAY_MS), last: toDate(now.getTime()) };
  const sums = await sumUsage(control, projectId, period);
  const total = sums.find(({ day, status, keyId }) => day === null && status === null && keyId === null);
  if (total === undefined) throw new Error('A sum over all calls was answered without a row');
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

/** The newest calls of a project. */
export interface Logs {
  logs: {
    id: string;
    endpoint: string;
    resourceType: string | null;
    statusCode: number;
    timestamp: string;
  }[];
}

const MAX_LOGS = 100;

/** The newest `limit` (1 to 100) calls of a project, newest first. */
export async function readLogs(control: Database, projectId: string, limit: number): Promise<Logs> {
  const lines = await listLogLines(control, projectId, Math.min(limit, MAX_LOGS));
  return { logs: lines.map(({ at, ...line }) => ({ ...line, timestamp: at.toISOString() })) };
}
