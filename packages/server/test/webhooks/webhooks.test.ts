import type { Webhook as WebhookAnswer, WebhookDelivery, WebhookWithSecret } from '@colophon/model';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContext } from '../../src/compose.js';
import { findInDatabases } from '../support/find-in-database.js';
import { type Received, type Receiver, startReceiver } from '../support/receiver.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const SOON = { timeout: 30_000, interval: 50 };
const OVERRIDES = { webhookRetrySeconds: () => 0 };

let slugs = 0;

/** Only `record` rejects for an error response. */
async function makeProject(service: Service) {
  const ask = async (path: string, init: { method?: string; body?: unknown } = {}) => {
    const answer = await service.manage('ann', path, init);
    return { status: answer.status, body: await answer.json() };
  };
  const orgSlug = `org-${slugs++}`;
  await ask('/orgs', { body: { name: 'Daily Planet', slug: orgSlug } });
  const { id } = (await ask('/projects', { body: { orgSlug, name: 'Front page' } })).body;
  const made = await ask('/api-keys', { body: { projectId: id, name: 'key', permissions: 'write' } });
  const headers = { authorization: `Bearer ${made.body.key}` };
  const hooks = `/projects/${id}/webhooks`;
  return {
    id: id as string,
    orgSlug,
    ask,
    hooks,
    create: async (body: object): Promise<WebhookWithSecret> => (await ask(hooks, { body })).body,
    update: async (hook: string, body: object): Promise<WebhookAnswer> =>
      (await ask(`${hooks}/${hook}`, { method: 'PATCH', body })).body,
    deliveries: async (hook: string): Promise<WebhookDelivery[]> =>
      (await ask(`${hooks}/${hook}/deliveries`)).body,
    async record(): Promise<string> {
      await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }, headers));
      const prompt = 'words that stay here';
      const body = {
        performedBy: 'ann',
        extensions: { 'ext:ai@1.0.0': { provider: 'x', model: 'y', prompt } },
      };
      const answer = await service.send('/v1/action', jsonPost(body, headers));
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()).actionId;
    },
  };
}

const idsOf = (received: readonly Received[]): string[] =>
  received.flatMap(({ message }) => ((message.data.actions ?? []) as { id: string }[]).map(({ id }) => id));

const verify = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe('webhooks', () => {
  let service: Service;
  let receiver: Receiver;
  let project: Awaited<ReturnType<typeof makeProject>>;
  beforeAll(async () => {
    const environment = { ALLOW_PRIVATE_ADDRESSES: 'true' };
    service = await startService(ANY_ENGINE, { environment, overrides: OVERRIDES });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    receiver = await startReceiver();
    project = await makeProject(service);
  });
  afterEach(() => receiver.close());

  it('a recorded action is sent once, in a request that an independent library verifies', async () => {
    const before = await project.record();
    const { secret } = await project.create({ url: receiver.url });
    const ids = [await project.record(), await project.record()];
    await expect.poll(() => idsOf(receiver.received), SOON).toEqual(ids);
    for (const received of receiver.received) {
      expect(verify(secret, received)).toEqual(received.message);
      expect(() => verify(secret, { ...received, body: received.body.replace('ann', 'eve') })).toThrow();
      expect(received.message).toMatchObject({ type: 'action.recorded', data: { projectId: project.id } });
      // Webhooks never send data that an erasure removes.
      expect(received.body).not.toMatch(/words that stay|Ann/);
    }
    expect(idsOf(receiver.received)).not.toContain(before);
  });

  it('a rejected request is sent again with the same id and a valid signature, until it is accepted', async () => {
    const { id, secret } = await project.create({ url: receiver.url });
    receiver.answer = (response) =>
      response.writeHead([500, 302, 200][receiver.received.length - 1] ?? 200, { location: '/' }).end();
    await project.record();
    const [first, second, third] = await receiver.until(3);
    for (const received of [first, second, third] as Received[]) {
      verify(secret, received);
      expect([received.body, received.headers['webhook-id']]).toEqual([
        first?.body,
        first?.headers['webhook-id'],
      ]);
    }
    await expect
      .poll(() => project.deliveries(id), SOON)
      .toMatchObject([{ id: first?.headers['webhook-id'], state: 'delivered', attempts: 3, status: 200 }]);
    expect(receiver.received).toHaveLength(3);
  });

  it('during a rotation requests have signatures of both secrets, and afterwards only of the new one', async () => {
    const { id, secret } = await project.create({ url: receiver.url });
    const rotate = async (overlapHours: number): Promise<WebhookWithSecret> =>
      (await project.ask(`${project.hooks}/${id}/rotate`, { body: { overlapHours } })).body;
    const { secret: next, oldSecretUntil } = await rotate(1);
    expect(Date.parse(oldSecretUntil ?? '')).toBeGreaterThan(Date.now());
    await project.record();
    const [both] = await receiver.until(1);
    for (const one of [secret, next]) verify(one, both as Received);
    const { secret: last } = await rotate(0);
    await project.record();
    const [, alone] = await receiver.until(2);
    verify(last, alone as Received);
    for (const one of [secret, next]) expect(() => verify(one, alone as Received)).toThrow();
  });

  it('an endpoint that answers 410 is disabled, and misses all events until it is enabled again', async () => {
    const { id } = await project.create({ url: receiver.url });
    receiver.answer = (response) => void response.writeHead(410).end();
    await project.record();
    const list = async () => (await project.ask(project.hooks)).body as WebhookAnswer[];
    await expect.poll(list, SOON).toMatchObject([{ id, disabledReason: 'gone' }]);
    const missed = await project.record();
    const audit = (await project.ask(`/orgs/${project.orgSlug}/audit`)).body.entries;
    expect(audit[0]).toMatchObject({ action: 'webhook.stop', target: id, userId: 'service' });
    // Waits until the feed has passed the missed action.
    const size = () =>
      service.context.databases.provenance.query<{ left: number }>(
        `select (d.size - f.told_size)::int as left from provenance.webhook_feed f
         join provenance.anchor_due d using (project_id) where project_id = $1`,
        [project.id],
      );
    await expect.poll(size, SOON).toEqual([{ left: 0 }]);
    receiver.answer = (response) => void response.writeHead(200).end();
    expect(await project.update(id, { disabled: false })).toMatchObject({ disabledAt: null });
    const next = await project.record();
    await receiver.until(1, (received) => idsOf([received]).includes(next));
    expect(idsOf(receiver.received)).not.toContain(missed);
  });

  it('an endpoint is disabled when all ten attempts of a delivery fail and no other delivery succeeds', async () => {
    const { id } = await project.create({ url: receiver.url });
    receiver.answer = (response) => void response.writeHead(500).end();
    await project.record();
    const list = async () => (await project.ask(project.hooks)).body as WebhookAnswer[];
    await expect.poll(list, SOON).toMatchObject([{ disabledReason: 'failing' }]);
    expect(await project.deliveries(id)).toMatchObject([{ state: 'failed', attempts: 10, status: 500 }]);
  });

  it('a ping is sent once and listed, even if the endpoint rejects it', async () => {
    const { id, secret } = await project.create({ url: receiver.url });
    receiver.answer = (response) => void response.writeHead(503).end('busy');
    const { body, status } = await project.ask(`${project.hooks}/${id}/ping`, { body: {} });
    expect(status).toBe(202);
    const [ping] = await receiver.until(1);
    expect(verify(secret, ping as Received)).toMatchObject({ type: 'ping', data: { webhookId: id } });
    const failed = {
      id: body.messageId,
      event: 'ping',
      state: 'failed',
      error: 'the endpoint responded with status 503; only 2xx is accepted',
    };
    await expect.poll(() => project.deliveries(id), SOON).toMatchObject([failed]);
    expect(receiver.received).toHaveLength(1);
  });

  it('a webhook gets no events of another project, and that project gets 404 for this webhook', async () => {
    const other = await makeProject(service);
    const { id } = await project.create({ url: receiver.url });
    await other.record();
    const own = await project.record();
    await receiver.until(1);
    expect(idsOf(receiver.received)).toEqual([own]);
    const never = '0198c0de-0000-7000-8000-00000000ffff';
    for (const [path, init] of [
      [``, { method: 'PATCH', body: { disabled: true } }],
      [``, { method: 'DELETE' }],
      [`/rotate`, { body: {} }],
      [`/ping`, { body: {} }],
      [`/deliveries`, {}],
    ] as const) {
      const theirs = await other.ask(`${other.hooks}/${id}${path}`, init);
      const absent = await other.ask(`${other.hooks}/${never}${path}`, init);
      const neutral = (answer: { status: number; body: { error: object } }) => [
        answer.status,
        JSON.stringify({ ...answer.body.error, requestId: '' }).replaceAll(id, never),
      ];
      expect(neutral(theirs)).toEqual(neutral(absent));
      expect(theirs.status).toBe(404);
    }
  });

  it('a webhook gets only the events that it names, and no event after its deletion', async () => {
    const auditOnly = await project.create({ url: receiver.url, events: ['audit.mismatch'] });
    const gone = await project.create({ url: receiver.url });
    await project.ask(`${project.hooks}/${gone.id}`, { method: 'DELETE' });
    const otherReceiver = await startReceiver();
    await project.create({ url: otherReceiver.url });
    await project.record();
    await otherReceiver.until(1);
    await otherReceiver.close();
    expect(await project.deliveries(auditOnly.id)).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  it('a secret is shown once: no list, no audit log entry and no database row contains it', async () => {
    const { secret } = await project.create({ url: receiver.url });
    const shown = [
      (await project.ask(project.hooks)).body,
      (await project.ask(`/orgs/${project.orgSlug}/audit`)).body,
    ];
    expect(JSON.stringify(shown)).not.toContain(secret.slice(6));
    expect(await findInDatabases(service.context.databases, secret.slice(6))).toEqual([]);
  });

  it('an endpoint that never answers delays no recording and no other endpoint, even in the same project', async () => {
    receiver.answer = () => {};
    for (let count = 0; count < 3; count++) await project.create({ url: receiver.url });
    const otherReceiver = await startReceiver();
    await project.create({ url: otherReceiver.url });
    const other = await makeProject(service);
    await other.create({ url: otherReceiver.url });
    const ids: string[] = [];
    for (const one of [project, project, project, other]) {
      ids.push(await one.record());
      await otherReceiver.until(1, (received) => idsOf([received]).includes(ids.at(-1) ?? ''));
    }
    await otherReceiver.close();
    expect(receiver.received).toHaveLength(3);
  });

  it('slow endpoints of several projects delay no endpoint of another project', async () => {
    const fast = await startReceiver();
    await project.create({ url: fast.url });
    receiver.answer = () => {};
    const slow = await Promise.all(Array.from({ length: 5 }, () => makeProject(service)));
    for (const one of slow) for (let count = 0; count < 4; count++) await one.create({ url: receiver.url });
    for (const one of slow) await one.record();
    await receiver.until(16);
    for (let count = 0; count < 2; count++) {
      const id = await project.record();
      await fast.until(1, (received) => idsOf([received]).includes(id));
    }
    await fast.close();
    // While 16 requests are open, the service sends another one only for a project that has no open request.
    expect(receiver.received.length).toBeLessThanOrEqual(17);
  });

  it('an endless response body is not read to its end, and the status of the response counts', async () => {
    const { id } = await project.create({ url: receiver.url });
    let sentBytes = 0;
    receiver.answer = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(2 ** 16);
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
      };
      response.on('drain', pour);
      pour();
    };
    await project.record();
    await expect
      .poll(() => project.deliveries(id), SOON)
      .toMatchObject([{ state: 'delivered', attempts: 1 }]);
    expect(sentBytes).toBeLessThan(2 ** 24);
  });
});

it('an endpoint is disabled when a delivery has waited too long, even after only one failed attempt', async () => {
  const slowRetries = await startService(ANY_ENGINE, {
    environment: { ALLOW_PRIVATE_ADDRESSES: 'true' },
    overrides: { webhookRetrySeconds: () => 3_600 },
  });
  const receiver = await startReceiver();
  receiver.answer = (response) => void response.writeHead(500).end();
  const project = await makeProject(slowRetries);
  const { id } = await project.create({ url: receiver.url });
  await project.record();
  await receiver.until(1);
  await expect.poll(() => project.deliveries(id), SOON).toMatchObject([{ state: 'pending', attempts: 1 }]);
  const disabledReason = async () =>
    ((await project.ask(project.hooks)).body as WebhookAnswer[]).map((hook) => hook.disabledReason);
  expect(await disabledReason()).toEqual([null]);
  await slowRetries.context.databases.provenance.query(
    "update provenance.webhook_delivery set created_at = now() - interval '4 days'",
  );
  await project.record();
  await expect.poll(disabledReason, SOON).toEqual(['failing']);
  await receiver.close();
  await slowRetries.stop();
});

describe('in a service that connects only to public addresses', () => {
  let service: Service;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService(ANY_ENGINE, { overrides: OVERRIDES });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://0x7f.1/',
    'https://[::ffff:10.0.0.1]/',
    'http://example.org/',
    'https://user:word@example.org/',
    'ftp://example.org/',
  ])('a project cannot use %s as an endpoint', async (url) => {
    const project = await makeProject(service);
    const refused = await project.ask(project.hooks, { body: { url } });
    expect([refused.status, refused.body.error.details]).toMatchObject([422, [{ path: 'url' }]]);
    const { id } = await project.create({ url: 'https://hooks.invalid/' });
    const changed = await project.ask(`${project.hooks}/${id}`, { method: 'PATCH', body: { url } });
    expect(changed.status).toBe(422);
  });

  it('nothing is sent to a host name of this machine, and the error is that of an unknown host name', async () => {
    const project = await makeProject(service);
    for (const url of [
      receiver.url.replace('http://127.0.0.1', 'https://localhost'),
      'https://none.invalid/',
    ]) {
      const { id } = await project.create({ url });
      await project.ask(`${project.hooks}/${id}/ping`, { body: {} });
      await expect
        .poll(() => project.deliveries(id), SOON)
        .toMatchObject([
          { state: 'failed', error: 'the host name has no address that this service may connect to' },
        ]);
    }
    expect(receiver.received).toEqual([]);
  });
});

describe('two nodes on one database', () => {
  it('send the event of each action once', async () => {
    const environment = { ALLOW_PRIVATE_ADDRESSES: 'true' };
    const service = await startService('PostgreSQL', { environment });
    const second = await createContext(service.config);
    const receiver = await startReceiver();
    try {
      const project = await makeProject(service);
      await project.create({ url: receiver.url });
      const ids: string[] = [];
      for (let count = 0; count < 40; count++) ids.push(await project.record());
      await expect.poll(() => new Set(idsOf(receiver.received)).size, SOON).toBe(ids.length);
      expect(idsOf(receiver.received).toSorted()).toEqual(ids.toSorted());
    } finally {
      await receiver.close();
      await second.close();
      await service.stop();
    }
  });
});
