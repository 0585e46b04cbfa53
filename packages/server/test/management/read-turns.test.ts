import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { intercept } from '../support/intercept.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

/** Number of concurrent requests of one user or for one project. */
const MANY = 6;

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

  /** Holds the first `count` matching statements until the returned function is called. */
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
