import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { createPollInterval } from '../../src/platform/jobs/poll-interval.js';
import { sleepUntil } from '../../src/platform/sleep-until.js';
import { createProjectRests } from '../../src/platform/work/project-rests.js';
import type { WebhookDeps } from '../../src/webhooks/deps.js';
import { paceDelivery } from '../../src/webhooks/pace-delivery.js';
import { startWebhookFeed, type WebhookFeedOptions } from '../../src/webhooks/start-webhook-feed.js';
import { openOn } from '../support/open-on.js';
import { ANY_ENGINE } from '../support/service.js';

const LEAVES_OF_A_STEP = 250;
const SOON = { timeout: 30_000, interval: 10 };

let databases: Databases;
beforeAll(async () => {
  databases = await openOn(ANY_ENGINE);
});
afterAll(() => databases.close());
afterEach(async () => {
  vi.useRealTimers();
  await databases.provenance.query('delete from provenance.webhook_feed');
});

/** The log has leaves for a number of steps. */
async function createFeed(steps = 4): Promise<string> {
  const projectId = uuidv7();
  const { provenance } = databases;
  await provenance.query('insert into provenance.anchor_due (project_id, size) values ($1, $2)', [
    projectId,
    steps * LEAVES_OF_A_STEP,
  ]);
  await provenance.query(
    'insert into provenance.webhook_feed (project_id, told_size, since_size) values ($1, 0, 0)',
    [projectId],
  );
  return projectId;
}

/** `polls`: the number of searches for new events. */
function startFeeds(
  rests: WebhookDeps['rests'],
  options: Partial<WebhookFeedOptions> = {},
  { provenance }: Pick<Databases, 'provenance'> = databases,
) {
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
      provenance,
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
      ...options,
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

it('a feed creates at most one event per interval, even if the rests of other feeds end more often', async () => {
  const pollMs = 500;
  const [first, second, behind] = [await createFeed(0), await createFeed(0), await createFeed(1_000)];
  const starts = new Map<string, number[]>([first, second, behind].map((id) => [id, []]));
  const rests = createProjectRests({ isContended: () => true });
  const feeds = startFeeds(
    {
      ...rests,
      note(projectId, tookMs) {
        starts.get(projectId)?.push(performance.now() - tookMs);
        rests.note(projectId, tookMs);
      },
    },
    { pollMs },
  );
  const startsOf = (projectId: string) => starts.get(projectId) ?? [];
  while (startsOf(first).length < 3 || startsOf(second).length < 3) {
    await databases.provenance.query(
      'update provenance.anchor_due set size = size + 1 where project_id = any($1::uuid[])',
      [[first, second]],
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await feeds.close();
  expect(feeds.failures).toEqual([]);
  for (const projectId of [first, second]) {
    const gaps = startsOf(projectId).map(
      (ms, place, all) => ms - (all[place - 1] ?? Number.NEGATIVE_INFINITY),
    );
    expect(Math.min(...gaps)).toBeGreaterThan(pollMs - 1);
  }
  // The ends of these rests woke the loop.
  expect(startsOf(behind).length).toBeGreaterThan(startsOf(first).length);
}, 60_000);

it('the search for new events waits at least 10 ms for the end of a rest', async () => {
  const resting = await createFeed();
  const pauses: number[] = [];
  const pace = {
    note: () => {},
    pause: (ms: number, ...signals: AbortSignal[]) => {
      pauses.push(ms);
      return sleepUntil(ms, ...signals);
    },
  };
  const feeds = startFeeds(
    { note: () => {}, list: () => new Map([[resting, 0.5]]) },
    { pace, pollMs: 1_000 },
  );
  await expect.poll(() => pauses.filter((ms) => ms < 1_000).length, SOON).toBeGreaterThan(2);
  await feeds.close();
  expect(feeds.failures).toEqual([]);
  expect(Math.min(...pauses)).toBe(10);
});

it('a project rests after a step of its feed that fails', async () => {
  const failing = await createFeed();
  const rests = createProjectRests({ isContended: () => true });
  const transaction = () => sleepUntil(20).then(() => Promise.reject(new Error('no connection')));
  const feeds = startFeeds(rests, {}, { provenance: { ...databases.provenance, transaction } });
  await expect.poll(() => rests.list().get(failing) ?? 0, SOON).toBeGreaterThan(30);
  await feeds.close();
  expect(feeds.failures[0]).toEqual(new Error('no connection'));
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
    expect(noted).toEqual([['busy', 12]]);
  },
);

it('an attempt counts as at most 25 ms of work, even if its statements wait for other projects', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const noted: number[] = [];
  const rests = { note: (_: string, tookMs: number) => void noted.push(tookMs), list: () => new Map() };
  await paceDelivery({ fetch, rests }, 'light', async () => void vi.advanceTimersByTime(400));
  expect(noted).toEqual([25]);
});
