import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { endDeletedFeeds } from '../../src/webhooks/end-deleted-feeds.js';
import { listFeedProjects, startFeed } from '../../src/webhooks/feeds.sql.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

/**
 * The longest body in bytes. An event of 65,536 bytes or more gets no further action. The other 3,000 bytes are for its
 * last action.
 */
const LONGEST_BODY = 2 ** 16 + 3_000;
const ACTIONS = 60;
const OUTPUTS = 20;

let service: Service;
let receiver: Receiver;
let projects = 0;
beforeAll(async () => {
  service = await startService(ANY_ENGINE, { environment: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

async function ask(path: string, init?: { method?: string; body?: unknown }) {
  const answer = await service.manage('ann', path, init);
  return answer.json();
}

async function createProject() {
  const orgSlug = `org-of-feeds-${projects++}`;
  await ask('/orgs', { body: { name: 'Daily Planet', slug: orgSlug } });
  const { id } = await ask('/projects', { body: { orgSlug, name: 'Front page' } });
  const addWebhook = () => ask(`/projects/${id}/webhooks`, { body: { url: receiver.url } });
  await addWebhook();
  return { id: id as string, orgSlug, addWebhook };
}

const cidOf = (place: number) => `sha256:${place.toString(16).padStart(64, '0')}`;

it('actions with many contents get several short events, and each action is in one of them', async () => {
  const { id, addWebhook } = await createProject();
  await addWebhook();
  const { key } = await ask('/api-keys', { body: { projectId: id, name: 'key', permissions: 'write' } });
  const headers = { authorization: `Bearer ${key}` };
  await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }, headers));
  const actions = Array.from({ length: ACTIONS }, (_, action) => ({
    performedBy: 'ann',
    inputCids: Array.from({ length: OUTPUTS }, (_, place) => cidOf(place + 1)),
    outputCids: Array.from({ length: OUTPUTS }, (_, place) => cidOf((action + 2) * OUTPUTS + place)),
  }));
  const recorded = await service.send('/v1/batch', jsonPost({ actions }, headers));
  expect(recorded.status).toBe(201);
  const sent = () =>
    receiver.received.flatMap(
      ({ message }) => message.data.actions as { id: string; outputCids: string[] }[],
    );
  await expect.poll(() => sent().length, { timeout: 30_000, interval: 50 }).toBe(2 * ACTIONS);
  expect(new Set(sent().map((action) => action.id)).size).toBe(ACTIONS);
  expect(sent().every(({ outputCids }) => outputCids.length === OUTPUTS)).toBe(true);
  expect(Math.max(...receiver.received.map(({ body }) => body.length))).toBeLessThan(LONGEST_BODY);
}, 60_000);

it.each([
  ['a project', ({ id }: { id: string }) => `/projects/${id}`],
  ['an organisation', ({ orgSlug }: { orgSlug: string }) => `/orgs/${orgSlug}`],
])(
  'the deletion of %s ends the feed, so that the search for new events no longer visits it',
  async (_, pathOf) => {
    const project = await createProject();
    const listFeeds = () =>
      service.context.databases.provenance.query(
        'select from provenance.webhook_feed where project_id = $1',
        [project.id],
      );
    expect(await listFeeds()).toHaveLength(1);
    expect(await ask(pathOf(project), { method: 'DELETE' })).toEqual({ deleted: true });
    expect(await listFeeds()).toEqual([]);
  },
);

it('the feed of a deleted project ends, even if a new webhook restarted it', async () => {
  const { databases } = service.context;
  const [kept, deleted] = [await createProject(), await createProject()];
  await ask(`/projects/${deleted.id}`, { method: 'DELETE' });
  await startFeed(databases.provenance, deleted.id);
  await endDeletedFeeds(databases);
  const feeds = await listFeedProjects(databases.provenance);
  expect([feeds.includes(kept.id), feeds.includes(deleted.id)]).toEqual([true, false]);
});
