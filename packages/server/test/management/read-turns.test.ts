import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { intercept } from '../support/intercept.js';
import { ANY_ENGINE, MANAGEMENT_KEY, type Service, startService } from '../support/service.js';

const MANY = 6;
const LIST = /from control\.project p .* limit/s;
const SOON = { timeout: 10_000, interval: 5 };

describe('reads of the control plane', () => {
  let service: Service;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    for (const user of ['ann', 'bob']) {
      await service.manage(user, '/orgs', { body: { name: 'Org', slug: user } });
      const made = await service.manage(user, '/projects', { body: { orgSlug: user, name: 'First' } });
      ids.set(user, (await made.json()).id);
    }
  });
  afterAll(() => service.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const read = async (user: string, path: string) => (await service.manage(user, path)).status;

  function hold(text: RegExp, count: number) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let running = 0;
    let most = 0;
    const seen = intercept(service.context.databases.control, text, async (run) => {
      running += 1;
      most = Math.max(most, running);
      if (seen.length <= count) await released;
      return run().finally(() => {
        running -= 1;
      });
    });
    return { seen, most: () => most, release };
  }

  it.each([
    ['projects', '/projects/ann', '/projects/bob', /from control\.project p .* limit/s],
    ['organisations', '/orgs', '/orgs', /"ownerId".* limit \$2/s],
    ['members', '/orgs/ann/members', '/orgs/bob/members', /from control\.member m .* limit/s],
  ])('a user runs two lists of %s at a time, and other users have turns', async (_, own, others, text) => {
    const held = hold(text, 2);
    const asked = Array.from({ length: MANY }, () => read('ann', own));
    await vi.waitFor(() => expect(held.seen).toHaveLength(2), { timeout: 10_000 });
    expect(await read('bob', others)).toBe(200);
    expect(held.seen).toHaveLength(3);
    held.release();
    expect(await Promise.all(asked)).toEqual(asked.map(() => 200));
    expect(held.seen).toHaveLength(MANY + 1);
    expect(held.most()).toBe(3);
  });

  /** Ends when the service has closed the connections. */
  async function leaveEarly(path: string) {
    const { server } = service.context.app;
    const counts = { arrived: 0, closed: 0 };
    const count = (_request: unknown, response: ServerResponse) => {
      counts.arrived += 1;
      response.once('close', () => {
        counts.closed += 1;
      });
    };
    server.on('request', count);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${MANAGEMENT_KEY}`, 'x-user-id': 'ann' };
    const asked = Array.from({ length: MANY }, () =>
      fetch(`${service.base}/management${path}`, { headers, signal: leaving.signal }).catch(() => 'left'),
    );
    await vi.waitFor(() => expect(counts).toEqual({ arrived: MANY, closed: 0 }), SOON);
    leaving.abort();
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'left'));
    await vi.waitFor(() => expect(counts.closed).toBe(MANY), SOON);
    server.off('request', count);
  }

  it.each([
    ['list', 2, () => '/projects/ann', LIST],
    ['list of all organisations', 2, () => '/orgs', /"ownerId".* limit \$2/s],
    ['report of usage', 1, () => `/projects/${ids.get('ann')}/usage`, /grouping sets/],
  ])('a %s that waits when its caller leaves does not begin', async (_, atOnce, pathOf, text) => {
    const held = hold(text, atOnce);
    const first = Array.from({ length: atOnce }, () => read('ann', pathOf()));
    await vi.waitFor(() => expect(held.seen).toHaveLength(atOnce), SOON);
    await leaveEarly(pathOf());
    const last = read('ann', pathOf());
    held.release();
    expect(await Promise.all([...first, last])).toEqual(Array(atOnce + 1).fill(200));
    expect(held.seen).toHaveLength(atOnce + 1);
  });

  it('a project has one report of usage at a time, and other projects have turns', async () => {
    const held = hold(/grouping sets/, 1);
    const asked = Array.from({ length: MANY }, () => read('ann', `/projects/${ids.get('ann')}/usage`));
    await vi.waitFor(() => expect(held.seen).toHaveLength(1), { timeout: 10_000 });
    expect(await read('bob', `/projects/${ids.get('bob')}/usage`)).toBe(200);
    expect(held.seen).toHaveLength(2);
    held.release();
    expect(await Promise.all(asked)).toEqual(asked.map(() => 200));
    expect(held.most()).toBe(2);
  });
});

describe('the longest wait for reads of the control plane', () => {
  let service: Service;
  let projectId: string;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { WORK_MAX_WAIT_MS: '50' } });
    await service.manage('ann', '/orgs', { body: { name: 'Org', slug: 'ann' } });
    const made = await service.manage('ann', '/projects', { body: { orgSlug: 'ann', name: 'First' } });
    projectId = (await made.json()).id;
  });
  afterAll(() => service.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    ['list', 2, () => '/projects/ann', LIST],
    ['report of usage', 1, () => `/projects/${projectId}/usage`, /grouping sets/],
  ])('a %s that waits longer than WORK_MAX_WAIT_MS gets 503', async (_, atOnce, pathOf, text) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = intercept(service.context.databases.control, text, (run) => released.then(run));
    const first = Array.from({ length: atOnce }, () => service.manage('ann', pathOf()));
    await vi.waitFor(() => expect(held).toHaveLength(atOnce), SOON);
    const late = await service.manage('ann', pathOf());
    release();
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await late.json()).error.message).toContain('WORK_MAX_WAIT_MS');
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual(first.map(() => 200));
  });
});
