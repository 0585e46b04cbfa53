import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { createPollInterval } from '../../src/platform/jobs/poll-interval.js';
import { createProjectRests } from '../../src/platform/work/project-rests.js';
import type { WebhookDeps } from '../../src/webhooks/deps.js';
import { paceDelivery } from '../../src/webhooks/pace-delivery.js';
import { startWebhookFeed } from '../../src/webhooks/start-webhook-feed.js';
import { openOn } from '../support/open-on.js';
import { ANY_ENGINE } from '../support/service.js';

const LEAVES_OF_A_STEP = 250;
const SOON = { timeout: 30_000, interval: 10 };

let databases: Databases;
beforeAll(async () => {
  databases = await openOn(ANY_ENGINE);
});
afterAll(() => databases.close());
afterEach(() => vi.useRealTimers());

/** Creates a feed whose log has leaves for four steps. */
async function createFeed(): Promise<string> {
  const projectId = uuidv7();
  const { provenance } = databases;
  await provenance.query('insert into provenance.anchor_due (project_id, size) values ($1, $2)', [
    projectId,
    4 * LEAVES_OF_A_STEP,
  ]);
  await provenance.query(
    'insert into provenance.webhook_feed (project_id, told_size, since_size) values ($1, 0, 0)',
    [projectId],
  );
  return projectId;
}

/** Starts the loop of the feeds. `polls`: the number of its searches for new events. */
function startFeeds(rests: WebhookDeps['rests']) {
  const counts = { polls: 0 };
  const counting = {
    ...rests,
    list: () => {
      counts.polls++;
      return rests.list();
    },
  };
  const failures: unknown[] = [];
  const loop = startWebhookFeed(
    {
      ...databases,
      sealer: undefined,
      fetch,
      backlogLimits: { deliveries: 10, bytes: 1_000_000 },
      rests: counting,
    },
    {
      onMessages: () => {},
      onMissed: () => {},
      reportFailure: (error) => failures.push(error),
      pace: createPollInterval(),
      pollMs: 10,
    },
  );
  return { counts, failures, close: loop.close };
}

const positionOf = async (projectId: string) => {
  const [row] = await databases.provenance.query<{ position: number }>(
    'select told_size::int as position from provenance.webhook_feed where project_id = $1',
    [projectId],
  );
  return row?.position;
};

it('while other projects have requests, a feed rests after each step, and the feeds of others continue', async () => {
  const [busy, other] = [await createFeed(), await createFeed()];
  let nowMs = 0;
  const rests = createProjectRests({ isContended: (projectId) => projectId === busy, nowMs: () => nowMs });
  const feeds = startFeeds(rests);
  await expect.poll(() => positionOf(other), SOON).toBe(4 * LEAVES_OF_A_STEP);
  const { polls } = feeds.counts;
  await expect.poll(() => feeds.counts.polls, SOON).toBeGreaterThan(polls + 5);
  for (const steps of [1, 2, 3]) {
    expect(await positionOf(busy)).toBe(steps * LEAVES_OF_A_STEP);
    nowMs += 1_000;
    await expect.poll(() => positionOf(busy), SOON).toBe((steps + 1) * LEAVES_OF_A_STEP);
  }
  await feeds.close();
  expect(feeds.failures).toEqual([]);
});

it.each([
  ['ends', async () => {}],
  ['fails', () => Promise.reject(new Error('not delivered'))],
])(
  'a delivery that %s makes its project rest for its work, but not for the wait for the endpoint',
  async (_, end) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const noted: [string, number][] = [];
    const rests = {
      note: (projectId: string, tookMs: number) => void noted.push([projectId, tookMs]),
      list: () => new Map<string, number>(),
    };
    const answer: typeof fetch = async () => {
      vi.advanceTimersByTime(8_000);
      return new Response();
    };
    const delivery = paceDelivery({ fetch: answer, rests }, 'busy', async (deps) => {
      vi.advanceTimersByTime(4);
      await deps.fetch('https://example.org');
      vi.advanceTimersByTime(3);
      await end();
    });
    await delivery.catch(() => {});
    // 7 ms of work, and 5 ms of the request.
    expect(noted).toEqual([['busy', 12]]);
  },
);
