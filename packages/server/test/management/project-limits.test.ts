import { afterAll, beforeAll, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { signUpFirst } from '../support/page-user.js';
import { ANY_ENGINE, jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

const OPERATOR = 'operator';
const LIMITS = { storedBytes: null, records: null, requestsPerMonth: null, concurrentUploads: null };
const project = `/projects/${namedProjectId('one')}`;

let service: Service;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
});
afterAll(() => service.stop());

const setLimits = async (limits: object) => {
  const answer = await service.manage(OPERATOR, project, { method: 'PUT', body: { limits } });
  expect(answer.status).toBe(200);
  return (await answer.json()).limits;
};
const readQuota = async () => (await (await service.manage(OPERATOR, `${project}/usage`)).json()).quota;
const refusalOf = async (answer: Response) => ({ status: answer.status, ...(await answer.json()).error });
const recordEntity = (id: string, key = KEY) =>
  service.send('/v1/entity', jsonPost({ id, role: 'human' }, { authorization: `Bearer ${key}` }));

it('a project is unlimited until a limit is set; each limit is set alone, shown, and removed with null', async () => {
  const before = await (await service.manage(OPERATOR, project)).json();
  expect(before.limits).toEqual(LIMITS);
  expect(await setLimits({ records: 1_000 })).toEqual({ ...LIMITS, records: 1_000 });
  expect(await setLimits({ storedBytes: 2 ** 40 })).toEqual({
    ...LIMITS,
    records: 1_000,
    storedBytes: 2 ** 40,
  });
  expect((await readQuota()).storedBytes).toEqual({ used: 0, limit: 2 ** 40 });
  expect(await setLimits({ storedBytes: null, records: null })).toEqual(LIMITS);
  const wrong = await service.manage(OPERATOR, project, { method: 'PUT', body: { limits: { records: -1 } } });
  expect(wrong.status).toBe(422);
});

it('a user of the page sees the limits, and cannot set them', async () => {
  const ann = await signUpFirst(service);
  const own = `/management${project}`;
  expect((await (await ann.ask(own)).json()).limits).toEqual(LIMITS);
  const refused = await ann.ask(own, { method: 'PUT', body: { limits: { records: null } } });
  expect(await refusalOf(refused)).toMatchObject({ status: 403, code: 'Forbidden' });
  expect((await ann.ask(own, { method: 'PUT', body: { description: 'ours' } })).status).toBe(200);
});

it('records: a project at its limit can read records but add none, and another project can add records', async () => {
  expect((await recordEntity('ann')).status).toBe(201);
  await setLimits({ records: (await readQuota()).records.used + 1 });
  expect((await recordEntity('bob')).status).toBe(201);
  const refused = await refusalOf(await recordEntity('cleo'));
  expect(refused).toMatchObject({ status: 403, details: { limit: 'records' } });
  expect(refused.recovery).toContain('limits.records');
  expect((await service.send('/v1/entity/ann')).status).toBe(200);
  expect((await recordEntity('cleo', OTHER_KEY)).status).toBe(201);
  await setLimits({ records: null });
  expect((await recordEntity('cleo')).status).toBe(201);
});

it('storedBytes: the limit counts bytes as soon as they are stored, and small files stay possible', async () => {
  expect((await service.upload('x'.repeat(3_000))).status).toBe(201);
  await setLimits({ storedBytes: 9_000 });
  expect((await service.upload('y'.repeat(3_000))).status).toBe(201);
  const refused = await refusalOf(await service.upload('z'.repeat(3_000)));
  expect(refused).toMatchObject({ status: 403, details: { limit: 'storedBytes' } });
  expect((await recordEntity('dora')).status).toBe(201);
  expect((await service.upload('small')).status).toBe(201);
  await setLimits({ storedBytes: null });
  expect((await service.upload('z'.repeat(3_000))).status).toBe(201);
});

it('storedBytes: concurrent uploads together stay within the limit, and release their reservations', async () => {
  await service.context.meter.flush();
  const { used } = (await readQuota()).storedBytes;
  await setLimits({ storedBytes: used + 30_000 });
  const uploads = Array.from({ length: 8 }, (_, n) => service.upload(`${n}`.repeat(9_000)));
  const statuses = (await Promise.all(uploads)).map(({ status }) => status).sort();
  expect(statuses).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
  await setLimits({ storedBytes: used + 40_000 });
  expect((await service.upload('a'.repeat(9_000))).status).toBe(201);
  expect((await service.upload('b'.repeat(9_000))).status).toBe(403);
  await setLimits({ storedBytes: null });
});

it('requestsPerMonth: a request beyond the limit gets 429, and /metrics counts it', async () => {
  await service.context.meter.flush();
  const { used } = (await readQuota()).requestsThisMonth;
  expect(used).toBeGreaterThan(5);
  await setLimits({ requestsPerMonth: used + 2 });
  const statuses: number[] = [];
  for (let time = 0; time < 4; time++) statuses.push((await service.send('/v1/entities')).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  const answer = await service.send('/v1/entities');
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(31 * 86_400);
  expect(await refusalOf(answer)).toMatchObject({ status: 429, details: { limit: 'requestsPerMonth' } });
  const metrics = await (await fetch(`${service.base}/metrics`)).text();
  expect(metrics).toContain('requests_refused_total{bound="limits.requestsPerMonth"} 3');
  expect(await setLimits({ requestsPerMonth: null })).toEqual(LIMITS);
});

it('concurrentUploads: the limit of a project rejects a large upload with 429, but not a small one', async () => {
  await setLimits({ concurrentUploads: 0 });
  expect((await service.upload('the limit does not apply to a small form')).status).toBe(201);
  const refused = await refusalOf(await service.upload('x'.repeat(300_000)));
  expect(refused.status).toBe(429);
  expect(refused.message).toContain('limits.concurrentUploads');
  await setLimits({ concurrentUploads: null });
});
