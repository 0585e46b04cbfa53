import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLimiter, type Limiter } from '../../src/access/limiter.js';
import { openSharedLimits, type SharedLimits } from '../../src/access/shared-limiter.js';
import { REDIS_COMMAND, type RedisServer, startRedis } from '../support/redis.js';

const ALLOWANCE = { perMinute: 4, burst: 2 };
const POLLING = { timeout: 20_000, interval: 50 };

describe.skipIf(REDIS_COMMAND === undefined)('windows in Redis that several nodes share', () => {
  let redis: RedisServer;
  const nodes: SharedLimits[] = [];
  const failures: unknown[] = [];
  let taken = 0;
  const freshKey = () => `key-${taken++}`;

  beforeAll(async () => {
    redis = await startRedis();
    for (let count = 0; count < 2; count++)
      nodes.push(openSharedLimits(redis.url, (error) => failures.push(error)));
    for (const node of nodes) await vi.waitFor(() => node.ping(), POLLING);
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await redis.stop();
  });

  const limiters = (name = 'key'): [Limiter, Limiter] => {
    const [one, two] = nodes.map((node) => node.createLimiter(name, ALLOWANCE, createLimiter(ALLOWANCE)));
    if (one === undefined || two === undefined) throw new Error('no nodes');
    return [one, two];
  };

  it('allow all nodes together as many requests as one node alone, whichever node receives them', async () => {
    const [one, two] = limiters();
    const key = freshKey();
    const verdicts = [];
    for (const limiter of [one, two, one, two, one, two, one, two]) verdicts.push(await limiter.take(key));
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([...Array(6).fill(true), false, false]);
    expect(verdicts.map(({ remaining }) => remaining)).toEqual([5, 4, 3, 2, 1, 0, 0, 0]);
    for (const { limit, resetAt, resetAfter } of verdicts) {
      expect(limit).toBe(6);
      expect(Math.abs(resetAt - Date.now() / 1000 - 60)).toBeLessThan(10);
      expect(resetAfter).toBeLessThanOrEqual(60);
    }
  });

  it('allow exactly six of 60 requests that reach both nodes at once', async () => {
    const key = freshKey();
    const pair = limiters();
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, index) => pair[index % 2 === 0 ? 0 : 1].take(key)),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(6);
  });

  it('are separate for each key and each name', async () => {
    const key = freshKey();
    expect(await limiters()[0].take(key)).toMatchObject({ remaining: 5 });
    expect(await limiters()[0].take(freshKey())).toMatchObject({ remaining: 5 });
    expect(await limiters('address')[0].take(key)).toMatchObject({ remaining: 5 });
  });

  it('fall back to one window per node while Redis does not answer, and report the outage once', async () => {
    const [one] = limiters();
    const key = freshKey();
    failures.length = 0;
    redis.pause();
    try {
      for (let count = 0; count < 6; count++) expect(await one.take(key)).toMatchObject({ allowed: true });
      expect(await one.take(key)).toMatchObject({ allowed: false });
      expect(failures).toHaveLength(1);
    } finally {
      redis.resume();
    }
    await vi.waitFor(() => nodes[0]?.ping(), POLLING);
  });

  it('are shared again after Redis is back without its data', async () => {
    await redis.restart();
    const [one, two] = limiters();
    const key = freshKey();
    await vi.waitFor(async () => {
      for (const node of nodes) await node.ping();
      await sleep(1_100);
      const fresh = freshKey();
      await one.take(fresh);
      expect(await two.take(fresh)).toMatchObject({ remaining: 4 });
    }, POLLING);
    expect(await one.take(key)).toMatchObject({ remaining: 5 });
  });
});
