import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Permission } from '@colophon/model';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { readLogs, readUsage } from '../../src/management/read-usage.js';
import type { Database } from '../../src/platform/db/database.js';
import { intercept } from '../support/intercept.js';
import { ANN_CREATES, ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

afterEach(() => {
  vi.restoreAllMocks();
});

const POLLING = { timeout: 30_000, interval: 50 };

describe('the meter of requests', () => {
  let service: Service;
  let control: Database;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    control = service.context.databases.control;
  });
  afterAll(() => service.stop());

  async function newKey(projectName: string, permission: Permission = 'write') {
    const options = { projectName, name: 'a key', permission };
    const { key, row } = await createNamedProjectKey(control, options);
    return { id: row.id, projectId: row.projectId, headers: { authorization: `Bearer ${key}` } };
  }

  async function usageOf(projectId: string) {
    await service.context.meter.flush();
    return readUsage(control, projectId, new Date());
  }

  it('counts calls by day, status and key, and the stored bytes; a repetition stores nothing', async () => {
    const name = randomUUID();
    const writer = await newKey(name);
    const reader = await newKey(name, 'read');
    const send = async (status: number, path: string, init: RequestInit = {}, { headers } = writer) => {
      const answer = await service.send(path, { ...init, headers: { ...init.headers, ...headers } });
      expect(answer.status).toBe(status);
    };
    const upload = async (content: string, id?: string, more: Record<string, string> = {}) => {
      const json = { ...ANN_CREATES, action: { type: 'create', id } };
      return (await service.upload(content, json, { ...writer.headers, ...more })).status;
    };
    const id = randomUUID();
    expect([await upload('12345', id), await upload('12345', id), await upload('12345')]).toEqual([
      201, 200, 409,
    ]);
    const repeated = { 'idempotency-key': randomUUID() };
    const seven = ['1234567', undefined, repeated] as const;
    expect([await upload(...seven), await upload(...seven)]).toEqual([201, 201]);
    await send(201, '/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
    const action = { id: randomUUID(), type: 'create', performedBy: 'ann' };
    await send(201, '/v1/action', jsonPost(action));
    await send(200, '/v1/action', jsonPost(action));
    await send(201, '/v1/action', jsonPost({ ...action, id: undefined }, repeated));
    await send(201, '/v1/action', jsonPost({ ...action, id: undefined }, repeated));
    await send(200, '/v1/actions', {}, reader);
    await send(403, '/v1/action', jsonPost(action), reader);

    const usage = await usageOf(writer.projectId);
    expect(usage.summary).toEqual({ totalCalls: 12, successRate: 83.3, period: 'month' });
    expect(usage.byDay).toHaveLength(30);
    expect(usage.byDay.at(-1)).toEqual({ ...usage.byDay.at(-1), total: 12, success: 10 });
    expect(usage.byDay.slice(0, -1).every(({ total }) => total === 0)).toBe(true);
    expect(usage.byStatus).toEqual([
      { status: 200, calls: 3 },
      { status: 201, calls: 7 },
      { status: 403, calls: 1 },
      { status: 409, calls: 1 },
    ]);
    expect(usage).toMatchObject({ bytesStored: 12, actionsRecorded: 4 });
    expect(usage.byKey).toEqual([
      { keyId: writer.id, calls: 10, bytesStored: 12, actionsRecorded: 4 },
      { keyId: reader.id, calls: 2, bytesStored: 0, actionsRecorded: 0 },
    ]);
  });

  it('counts static keys by their digest, and an unknown key not at all', async () => {
    const known = service.context.config.staticKeys.length;
    expect((await service.send('/v1/actions')).status).toBe(200);
    const bad = { headers: { authorization: 'Bearer not-a-key' } };
    expect((await service.send('/v1/actions', bad)).status).toBe(401);
    await service.context.meter.flush();
    const rows = await control.query<{ keyId: string; calls: number }>(
      `select key_id as "keyId", sum(calls)::int as calls from control.usage_day where key_id like 'static:%' group by 1`,
    );
    expect(known).toBe(2);
    expect(rows).toEqual([{ keyId: expect.stringMatching(/^static:[0-9a-f]{12}$/), calls: 1 }]);
  });

  it('lists calls newest first, by method and route, without ids and queries', async () => {
    const { projectId, headers } = await newKey(randomUUID());
    await service.upload('a picture', { ...ANN_CREATES, resourceType: 'image' }, headers);
    await service.send('/v1/actions?type=create', { headers });
    await service.send(`/v1/action/${randomUUID()}`, { headers });
    await service.context.meter.flush();
    const { logs } = await readLogs(control, projectId, 100);
    expect(logs.map(({ id: _, timestamp: __, ...line }) => line)).toEqual([
      { endpoint: 'GET /v1/action/:id', resourceType: null, statusCode: 404 },
      { endpoint: 'GET /v1/actions', resourceType: null, statusCode: 200 },
      { endpoint: 'POST /v1/activity', resourceType: 'image', statusCode: 201 },
    ]);
    for (const { timestamp } of logs) expect(Date.now() - Date.parse(timestamp)).toBeLessThan(60_000);
    expect((await readLogs(control, projectId, 1)).logs).toEqual(logs.slice(0, 1));
  });

  it('counts the call of a disconnected caller as status 499, and counts its action when it is recorded', async () => {
    const { projectId, headers } = await newKey(randomUUID());
    const json = { ...headers, 'content-type': 'application/json' };
    await service.send('/v1/entity', { ...jsonPost({ id: 'bob', role: 'ai' }), headers: json });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = intercept(control, /provenance\.record(_fresh)?\(/, (run) => released.then(run));
    const gone = request(`${service.base}/v1/action`, { method: 'POST', headers: json });
    gone.on('error', () => {});
    gone.end(JSON.stringify({ type: 'create', performedBy: 'bob' }));
    await vi.waitFor(() => expect(held).toHaveLength(1), POLLING);
    gone.destroy();
    await vi.waitFor(async () => expect((await usageOf(projectId)).summary.totalCalls).toBe(2), POLLING);
    release();
    await vi.waitFor(async () => expect((await usageOf(projectId)).actionsRecorded).toBe(1), POLLING);
    expect((await usageOf(projectId)).byStatus).toEqual([
      { status: 201, calls: 1 },
      { status: 499, calls: 1 },
    ]);
  });

  it('writes the counts of 100 requests in at most three batches', async () => {
    const { projectId, headers } = await newKey(randomUUID());
    await service.context.meter.flush();
    const seen = intercept(control, /add_usage/, (run) => run());
    const answers = Array.from({ length: 100 }, () => service.send('/v1/actions', { headers }));
    await Promise.all(answers);
    expect((await usageOf(projectId)).summary.totalCalls).toBe(100);
    // The timer may have fired once or twice meanwhile.
    expect(seen.length).toBeLessThanOrEqual(3);
  });
});
