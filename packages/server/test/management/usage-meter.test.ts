import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProjectTotals } from '../../src/management/project-totals.js';
import { readLogs, readUsage } from '../../src/management/read-usage.js';
import { readUsageTotals } from '../../src/management/usage.sql.js';
import { createUsageMeter } from '../../src/management/usage-meter.js';
import type { Database } from '../../src/platform/db/database.js';
import { readMigrations } from '../../src/platform/db/layers.js';
import { intercept } from '../support/intercept.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';
import { callOf } from '../support/usage-call.js';

const POLLING = { timeout: 30_000, interval: 50 };

const OUTAGE = new Error('the database is away');

/** The interval is longer than any test. */
const BY_HAND = {
  intervalMs: 1_000_000,
  reportFailure: (error: unknown) => {
    throw error;
  },
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a usage meter', () => {
  let service: Service;
  let control: Database;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    control = service.context.databases.control;
  });
  afterAll(() => service.stop());

  it('the usage of a project shows the 1,000 keys with the most calls, and the total of all keys', async () => {
    const projectId = randomUUID();
    await control.query(
      `insert into control.usage_day (project_id, key_id, day, status, calls, bytes_stored, actions_recorded)
       select $1::uuid, 'key ' || n, current_date, 200, n, 0, 0 from generate_series(1, 1200) n`,
      [projectId],
    );
    const usage = await readUsage(control, projectId, new Date());
    expect(usage.summary.totalCalls).toBe((1_200 * 1_201) / 2);
    expect(usage.byKey).toHaveLength(1_000);
    expect(Math.min(...usage.byKey.map(({ calls }) => calls))).toBe(201);
  });

  it('writes any number of calls in one statement per interval, and nothing without calls', async () => {
    const seen = intercept(control, /add_usage/, (run) => run());
    const projectId = randomUUID();
    const meter = createUsageMeter(control, { ...BY_HAND, intervalMs: 400 });
    for (let n = 0; n < 1000; n++) {
      meter.count(callOf(projectId, { keyId: `k${n % 20}` }));
      if (n % 100 === 0) await nextTurn();
    }
    expect(seen).toHaveLength(0);
    await vi.waitFor(
      async () => expect((await readUsage(control, projectId, new Date())).summary.totalCalls).toBe(1000),
      POLLING,
    );
    await sleep(1000);
    await meter.close();
    expect(seen).toHaveLength(1);
  });

  it('writes early if many calls come, but does not immediately repeat a failed write', async () => {
    const seen = intercept(control, /add_usage/, () => Promise.reject(OUTAGE));
    const projectId = randomUUID();
    const meter = createUsageMeter(control, { ...BY_HAND, reportFailure: () => {} });
    for (let n = 0; n < 10_000; n++) {
      meter.count(callOf(projectId, { keyId: `k${n}` }));
      if (n % 100 === 0) await nextTurn();
    }
    expect(seen).toHaveLength(1);
    vi.restoreAllMocks();
    await meter.close();
    expect((await readUsage(control, projectId, new Date())).summary.totalCalls).toBe(10_000);
  });

  it('writes the waiting counts before the usage of a project is read', async () => {
    const projectId = randomUUID();
    const meter = createUsageMeter(control, BY_HAND);
    const totals = createProjectTotals({ control, provenance: control }, meter);
    meter.count(callOf(projectId));
    expect((await readUsage(control, projectId, new Date())).summary.totalCalls).toBe(0);
    await Promise.all([totals.write(), totals.write()]);
    expect((await readUsage(control, projectId, new Date())).summary.totalCalls).toBe(1);
    await meter.close();
  });

  it('counts a call only once in the totals of its project if it ends while they are read', async () => {
    const projectId = randomUUID();
    const meter = createUsageMeter(control, BY_HAND);
    const totals = createProjectTotals({ control, provenance: control }, meter);
    const count = () => {
      meter.count({ ...callOf(projectId), bytesStored: 1_000 });
      totals.add(projectId, { requestsThisMonth: 1, storedBytes: 1_000 });
    };
    const [used] = await Promise.all([totals.read(projectId), count()]);
    expect(used).toEqual({ requestsThisMonth: 1, storedBytes: 1_000 });
    count();
    await meter.flush();
    expect(await totals.read(projectId)).toEqual({ requestsThisMonth: 2, storedBytes: 2_000 });
    await meter.close();
  });

  it('includes usage in the totals of a project when the write of this usage has failed', async () => {
    const projectId = randomUUID();
    const meter = createUsageMeter(control, { ...BY_HAND, reportFailure: () => {} });
    const totals = createProjectTotals({ control, provenance: control }, meter);
    intercept(control, /add_usage/, () => Promise.reject(OUTAGE));
    const reading = totals.read(projectId);
    meter.count({ ...callOf(projectId), bytesStored: 1_000 });
    totals.add(projectId, { requestsThisMonth: 1, storedBytes: 1_000 });
    expect(await reading).toEqual({ requestsThisMonth: 1, storedBytes: 1_000 });
    vi.restoreAllMocks();
    await meter.close();
  });

  it('reports, when it closes, how many calls could not be written', async () => {
    const failures: unknown[] = [];
    const report = { ...BY_HAND, reportFailure: (error: unknown) => failures.push(error) };
    const meter = createUsageMeter(control, report);
    const seen = intercept(control, /add_usage/, () => Promise.reject(OUTAGE));
    meter.count(callOf(randomUUID()));
    await meter.flush();
    meter.count(callOf(randomUUID()));
    await meter.close();
    expect(failures).toEqual([
      ...seen.map(() => OUTAGE),
      new Error('The usage of 2 calls could not be written'),
    ]);
  });

  it('deletes the last batch number of a meter that has not written for a month', async () => {
    const [ended, lives] = [randomUUID(), randomUUID()];
    await control.query(
      `insert into control.usage_batch (meter_id, number, at)
       values ($1, 7, now() - interval '31 days'), ($2, 7, now() - interval '29 days')`,
      [ended, lives],
    );
    const meter = createUsageMeter(control, BY_HAND);
    meter.count(callOf(randomUUID()));
    await meter.close();
    const known = await control.query<{ id: string }>(
      'select meter_id as id from control.usage_batch where meter_id in ($1, $2)',
      [ended, lives],
    );
    expect(known).toEqual([{ id: lives }]);
  });

  it('loses nothing during a database outage, and reports every failure', async () => {
    const projectId = randomUUID();
    const failures: unknown[] = [];
    const report = { ...BY_HAND, reportFailure: (error: unknown) => failures.push(error) };
    const meter = createUsageMeter(control, report);
    intercept(control, /add_usage/, () => Promise.reject(OUTAGE));
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 300; n++) meter.count(callOf(projectId, { bytesStored: 2, actionsRecorded: 1 }));
      await meter.flush();
    }
    expect(failures).toEqual(Array(5).fill(OUTAGE));
    vi.restoreAllMocks();
    await meter.close();
    const usage = await readUsage(control, projectId, new Date());
    expect(usage).toMatchObject({ bytesStored: 3000, actionsRecorded: 1500 });
    expect(usage.summary.totalCalls).toBe(1500);
    expect(failures).toHaveLength(5);
  });

  it('counts a batch only once if the answer to its write is lost', async () => {
    const projectId = randomUUID();
    const meter = createUsageMeter(control, { ...BY_HAND, reportFailure: () => {} });
    meter.count(callOf(projectId));
    intercept(control, /add_usage/, (run) => run().then(() => Promise.reject(OUTAGE)));
    await meter.flush();
    vi.restoreAllMocks();
    meter.count(callOf(projectId));
    await meter.close();
    expect((await readUsage(control, projectId, new Date())).summary.totalCalls).toBe(2);
    expect((await readLogs(control, projectId, 100)).logs).toHaveLength(2);
  });

  it('adds up concurrent writes of several meters', async () => {
    const projects = Array.from({ length: 5 }, () => randomUUID());
    const failures: unknown[] = [];
    const report = { ...BY_HAND, reportFailure: (error: unknown) => failures.push(error) };
    const meters = Array.from({ length: 4 }, () => createUsageMeter(control, report));
    const writeAll = async (meter: (typeof meters)[0], order: string[]) => {
      for (let round = 0; round < 15; round++) {
        for (const project of order) for (let n = 0; n < 100; n++) meter.count(callOf(project));
        await meter.flush();
      }
      await meter.close();
    };
    const orders = [projects, projects.toReversed(), projects, projects.toReversed()];
    await Promise.all(meters.map((meter, index) => writeAll(meter, orders[index] ?? [])));
    expect(failures).toEqual([]);
    for (const project of projects) {
      expect((await readUsage(control, project, new Date())).summary.totalCalls).toBe(6000);
    }
  });

  it('keeps the newest 1,000 log lines of a project', async () => {
    const [projectId, other] = [randomUUID(), randomUUID()];
    const meter = createUsageMeter(control, BY_HAND);
    meter.count(callOf(other));
    for (let round = 0; round < 12; round++) {
      for (let n = 0; n < 100; n++) meter.count(callOf(projectId, { endpoint: `GET /v1/${round}/${n}` }));
      await meter.flush();
    }
    await meter.close();
    const kept = await control.query<{ endpoint: string }>(
      'select endpoint from control.request_log where project_id = $1 order by id',
      [projectId],
    );
    expect(kept).toHaveLength(1000);
    expect([kept[0]?.endpoint, kept.at(-1)?.endpoint]).toEqual(['GET /v1/2/0', 'GET /v1/11/99']);
    expect((await readLogs(control, projectId, 1e6)).logs).toHaveLength(100);
    expect((await readLogs(control, other, 100)).logs).toHaveLength(1);
  });

  it('separates days at midnight UTC, and reports the last 30 days and their sum', async () => {
    const projectId = randomUUID();
    const meter = createUsageMeter(control, BY_HAND);
    const moments = [
      '2026-02-01T23:59:59.999Z',
      '2026-02-02T00:00:00.000Z',
      '2026-03-02T23:59:59.999Z',
      '2026-03-03T00:00:00.000Z',
    ];
    for (const at of moments) meter.count(callOf(projectId, { at: new Date(at) }));
    await meter.close();
    const totals = async (now: string) => {
      const { byDay, summary } = await readUsage(control, projectId, new Date(now));
      expect(byDay).toHaveLength(30);
      const days = byDay.filter(({ total }) => total > 0).map(({ date, total }) => `${date}: ${total}`);
      return [summary.totalCalls, ...days];
    };
    const [first, second, third] = ['2026-02-02: 1', '2026-03-02: 1', '2026-03-03: 1'];
    expect(await totals('2026-03-02T23:59:59.999Z')).toEqual([3, '2026-02-01: 1', first, second]);
    expect(await totals('2026-03-03T00:00:00.000Z')).toEqual([3, first, second, third]);
    expect(await totals('2026-03-03T23:59:59.999Z')).toEqual([3, first, second, third]);
    expect(await totals('2026-03-04T00:00:00.000Z')).toEqual([2, second, third]);
  });

  it('sums the requests of a calendar month and the bytes of all months, over all keys', async () => {
    const projectId = randomUUID();
    const meter = createUsageMeter(control, BY_HAND);
    const moments = ['2025-12-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'];
    for (const [key, at] of moments.entries())
      meter.count(callOf(projectId, { at: new Date(at), keyId: `${key}`, bytesStored: 10 ** key }));
    await meter.flush();
    meter.count(callOf(projectId, { at: new Date('2026-02-14'), status: 404 }));
    await meter.close();
    const totalsAt = (now: string) => readUsageTotals(control, projectId, new Date(now));
    expect(await totalsAt('2026-02-28T23:59:59.999Z')).toEqual({ requestsThisMonth: 3, storedBytes: 111 });
    expect(await totalsAt('2026-03-01T00:00:00.000Z')).toEqual({ requestsThisMonth: 0, storedBytes: 111 });
  });

  it('has the totals of usage that an earlier version wrote', async () => {
    const projectId = randomUUID();
    await control.query(
      `insert into control.usage_day (project_id, key_id, day, status, calls, bytes_stored, actions_recorded)
       select $1::uuid, 'key ' || n, date '2026-01-31' + n, 200, 1, 10, 0 from generate_series(0, 9) n`,
      [projectId],
    );
    const migration = readMigrations('control').find(({ name }) => name === '0166-usage-months.sql');
    await control.transaction(async (tx) => {
      await tx.exec(`drop table control.usage_month; ${migration?.sql}`);
    });
    const totals = await readUsageTotals(control, projectId, new Date('2026-02-15'));
    expect(totals).toEqual({ requestsThisMonth: 9, storedBytes: 100 });
  });
});
