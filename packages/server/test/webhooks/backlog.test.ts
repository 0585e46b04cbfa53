import type { ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import type { Queryable } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { readBacklogs, readMissed } from '../../src/webhooks/backlog.sql.js';
import { forgetOldMessages, noteAttempt, readMessage } from '../../src/webhooks/deliveries.sql.js';
import { type Missed, queueMessages } from '../../src/webhooks/queue-messages.js';
import { isOnCluster } from '../support/citus-databases.js';
import { openOn } from '../support/open-on.js';
import { startReceiver } from '../support/receiver.js';
import { ANY_ENGINE, jsonPost, startService } from '../support/service.js';

const LIMITS = { deliveries: 10, bytes: 1_000_000 };

describe.each(['PGlite in memory', 'PostgreSQL'])('the pending deliveries of a webhook, on %s', (engine) => {
  let databases: Databases;
  let projectId: string;
  let webhookId: string;
  beforeAll(async () => {
    databases = await openOn(engine);
  });
  afterAll(() => databases.close());
  beforeEach(() => {
    [projectId, webhookId] = [uuidv7(), uuidv7()];
  });

  interface Sent {
    to?: readonly string[];
    limits?: typeof LIMITS;
    bodyBytes?: number;
    isRare?: boolean;
  }

  /**
   * Queues events in one transaction. Returns the missed events of each webhook, the number of statements, and the size
   * of their parameters.
   */
  async function queue(
    events: number,
    { to = [webhookId], limits = LIMITS, bodyBytes = 2, isRare = false }: Sent = {},
  ) {
    let statements = 0;
    let sentBytes = 0;
    const missed = await databases.provenance.transaction((tx) => {
      const counted = {
        ...tx,
        query: <Row>(text: string, parameters?: readonly unknown[]) => {
          statements++;
          sentBytes += JSON.stringify(parameters ?? []).length;
          return tx.query<Row>(text, parameters);
        },
      };
      const outgoing = to.map((id) => ({
        webhookId: id,
        messages: Array.from({ length: events }, () => ({
          isRare,
          toMessage: () => ({
            ...{ id: uuidv7(), webhookId: id, event: 'action.recorded' },
            body: '"'.padEnd(bodyBytes - 1, 'x').concat('"'),
          }),
        })),
      }));
      return queueMessages(counted, projectId, { outgoing, limits });
    });
    return { missed, statements, sentBytes };
  }

  const listPending = () =>
    databases.provenance.query<{ id: string; webhookId: string }>(
      `select id, webhook_id as "webhookId" from provenance.webhook_delivery
       where project_id = $1 and state = 'pending' order by id`,
      [projectId],
    );

  async function deliver(count: number) {
    for (const { id } of (await listPending()).slice(0, count))
      await noteAttempt(databases.provenance, { projectId, id }, { attempts: 1, state: 'delivered' });
  }

  it('stay within the limit; the webhook shows the number and the times of the missed events', async () => {
    expect((await queue(12)).missed).toEqual([{ webhookId, events: 2, isNew: true }]);
    expect((await queue(3)).missed).toEqual([{ webhookId, events: 3, isNew: false }]);
    expect(await listPending()).toHaveLength(10);
    const jobs = await databases.provenance.query('select id from provenance.outbox where project_id = $1', [
      projectId,
    ]);
    expect(jobs).toHaveLength(10);
    const shown = (await readMissed(databases.provenance, projectId)).get(webhookId);
    expect(shown?.events).toBe(5);
    expect(Date.parse(shown?.until ?? '')).toBeGreaterThan(Date.parse(shown?.since ?? ''));
  });

  it('include rare events, which a receiver cannot read later, up to twice the limit', async () => {
    await queue(12);
    expect((await queue(9, { isRare: true })).missed).toEqual([]);
    expect((await queue(2, { isRare: true })).missed).toEqual([{ webhookId, events: 1, isNew: false }]);
    expect(await listPending()).toHaveLength(20);
  });

  it('are stored until their bodies reach the limit of bytes, which the last body can exceed', async () => {
    const limits = { deliveries: 1_000, bytes: 250_000 };
    const { missed } = await queue(10, { limits, bodyBytes: 100_000 });
    expect(missed).toEqual([{ webhookId, events: 7, isNew: true }]);
    expect((await queue(1, { limits })).missed).toEqual([{ webhookId, events: 1, isNew: false }]);
    expect(await listPending()).toHaveLength(3);
  });

  it('do not make another webhook miss events when they reach the limit', async () => {
    const other = uuidv7();
    await queue(11);
    const { missed } = await queue(4, { to: [webhookId, other] });
    expect(missed.map((one: Missed) => one.webhookId)).toEqual([webhookId]);
    const pending = await listPending();
    expect(pending.filter((one) => one.webhookId === other)).toHaveLength(4);
  });

  it('start a new count of missed events only when at most half of the limit is pending', async () => {
    await queue(11);
    await deliver(1);
    expect((await queue(2)).missed).toEqual([{ webhookId, events: 1, isNew: false }]);
    await deliver(5);
    expect((await queue(6)).missed).toEqual([{ webhookId, events: 1, isNew: true }]);
    expect((await readMissed(databases.provenance, projectId)).get(webhookId)?.events).toBe(1);
    await deliver(10);
    expect((await queue(1)).missed).toEqual([]);
  });

  it('are counted with the same number of statements for one event and for many', async () => {
    const [few, many] = [await queue(1), await queue(8)];
    expect(many.statements).toBe(few.statements);
  });

  const listBodies = () =>
    databases.provenance.query<{ bytes: number; pending: number }>(
      `select octet_length(body) as bytes, pending from provenance.webhook_body
       where project_id = $1 order by pending`,
      [projectId],
    );

  it('are sent to the database and stored with one copy of the body that all webhooks get', async () => {
    const to = Array.from({ length: 20 }, () => uuidv7());
    const { sentBytes } = await queue(1, { to, bodyBytes: 50_000 });
    expect(sentBytes).toBeLessThan(60_000);
    const rows = await databases.provenance.query<{ bytes: number }>(
      'select octet_length(body) as bytes from provenance.webhook_delivery where project_id = $1',
      [projectId],
    );
    expect(rows).toEqual(to.map(() => ({ bytes: 0 })));
    expect(await listBodies()).toEqual([{ bytes: 50_000, pending: 20 }]);
    for (const { id } of await listPending())
      expect((await readMessage(databases.provenance, projectId, id))?.body).toHaveLength(50_000);
    const counted = await readBacklogs(databases.provenance, projectId, { webhookIds: to, limit: 1_000 });
    expect(counted.map(({ bytes }) => bytes)).toEqual(to.map(() => 50_000));
  });

  it('keep their body until the last of them ends, and the next event deletes its row', async () => {
    await queue(1, { to: [webhookId, uuidv7()], bodyBytes: 50_000 });
    const [first, last] = await listPending();
    await deliver(1);
    expect(await listBodies()).toEqual([{ bytes: 50_000, pending: 1 }]);
    const failed = { attempts: 1, state: 'pending', status: 500 } as const;
    await noteAttempt(databases.provenance, { projectId, id: last?.id ?? '' }, failed);
    // A delivery counts once, even if two nodes store its result.
    const again = { attempts: 2, state: 'failed' } as const;
    await noteAttempt(databases.provenance, { projectId, id: first?.id ?? '' }, again);
    expect(await listBodies()).toEqual([{ bytes: 50_000, pending: 1 }]);
    await deliver(1);
    expect(await listBodies()).toEqual([{ bytes: 0, pending: 0 }]);
    await queue(1);
    expect(await listBodies()).toEqual([{ bytes: 2, pending: 1 }]);
  });

  it('have their own kind of job, because an earlier version cannot read shared bodies', async () => {
    await queue(1);
    const kinds = await databases.provenance.query(
      'select kind from provenance.outbox where project_id = $1',
      [projectId],
    );
    expect(kinds).toEqual([{ kind: 'webhook-delivery' }]);
  });

  it('of an earlier version have a body of their own, which is read, counted and deleted', async () => {
    const { provenance } = databases;
    const id = uuidv7();
    await provenance.query(
      `insert into provenance.webhook_delivery (project_id, id, webhook_id, event, body)
       values ($1, $2, $3, 'action.recorded', '{"a":1}')`,
      [projectId, id, webhookId],
    );
    expect(await readMessage(provenance, projectId, id)).toEqual({
      event: 'action.recorded',
      body: '{"a":1}',
    });
    const [backlog] = await readBacklogs(provenance, projectId, { webhookIds: [webhookId], limit: 10 });
    expect(backlog?.bytes).toBe(7);
    await deliver(1);
    await forgetOldMessages(provenance, projectId);
    const rows = await provenance.query(
      'select state, body from provenance.webhook_delivery where project_id = $1',
      [projectId],
    );
    expect(rows).toEqual([{ state: 'delivered', body: '' }]);
  });

  // On Citus, each statement of one project runs inside a function, which cannot run EXPLAIN.
  it.skipIf(isOnCluster())('are counted without reading the deliveries that have ended', async () => {
    const { provenance } = databases;
    await provenance.query(
      `insert into provenance.webhook_delivery (project_id, id, webhook_id, event, body, state, ended_at)
       select $1, gen_random_uuid(), $2, 'ping', '{}', 'delivered', now() from generate_series(1, 20000)`,
      [projectId, webhookId],
    );
    await queue(5);
    let pages = Number.NaN;
    const explaining: Queryable = {
      async query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
        const explained = await provenance.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
          `explain (analyze, buffers, format json) ${text}`,
          parameters,
        );
        const plan = explained[0]?.['QUERY PLAN'][0]?.Plan;
        pages = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
        return provenance.query<Row>(text, parameters);
      },
    };
    const read = await readBacklogs(explaining, projectId, { webhookIds: [webhookId], limit: 1_000 });
    expect(read).toEqual([{ webhookId, deliveries: 5, bytes: 10, isMissing: false }]);
    expect(pages).toBeLessThan(50);
  });
});

it('above MAX_PENDING_DELIVERIES, events are missed: the webhook and the metrics show them', async () => {
  const receiver = await startReceiver();
  receiver.answer = (response) => void response.writeHead(500).end();
  const service = await startService(ANY_ENGINE, {
    environment: { ALLOW_PRIVATE_ADDRESSES: 'true', MAX_PENDING_DELIVERIES: '1' },
    overrides: { webhookRetrySeconds: () => 3_600 },
  });
  const hooks = `/projects/${namedProjectId('one')}/webhooks`;
  const ask = async (path: string, init?: { method?: string; body?: unknown }) =>
    (await service.manage('operator', path, init)).json();
  const { id, missed } = await ask(hooks, { body: { url: receiver.url } });
  expect(missed).toBeNull();
  await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
  const record = () => service.send('/v1/action', jsonPost({ performedBy: 'ann' }));
  await record();
  await receiver.until(1);
  expect(await ask(hooks)).toMatchObject([{ id, missed: null }]);
  await record();
  const SOON = { timeout: 30_000, interval: 50 };
  await expect.poll(() => ask(hooks), SOON).toMatchObject([{ id, missed: { events: 1 } }]);
  expect(await ask(`${hooks}/${id}/deliveries`)).toHaveLength(1);
  const patch = { method: 'PATCH', body: { description: 'slow' } };
  expect(await ask(`${hooks}/${id}`, patch)).toMatchObject({ description: 'slow', missed: { events: 1 } });
  const metrics = await (await service.send('/metrics')).text();
  expect(metrics).toContain('colophon_webhook_attempts_total{outcome="missed"} 1');
  await service.stop();
  await receiver.close();
}, 60_000);

it('pings count as pending deliveries, get 409 above the limit, and delete old deliveries', async () => {
  const receiver = await startReceiver();
  const held: ServerResponse[] = [];
  receiver.answer = (response) => void held.push(response);
  const service = await startService(ANY_ENGINE, {
    environment: { ALLOW_PRIVATE_ADDRESSES: 'true', MAX_PENDING_DELIVERIES: '1' },
  });
  const projectId = namedProjectId('one');
  const hooks = `/projects/${projectId}/webhooks`;
  const { id } = await (
    await service.manage('operator', hooks, { body: { url: receiver.url, events: ['audit.mismatch'] } })
  ).json();
  await service.context.databases.provenance.query(
    `insert into provenance.webhook_delivery (project_id, id, webhook_id, event, body, state, ended_at)
     select $1, gen_random_uuid(), $2, 'ping', '', 'delivered', now() - interval '8 days' from generate_series(1, 3)`,
    [projectId, id],
  );
  const ping = () => service.manage('operator', `${hooks}/${id}/ping`, { body: {} });
  const list = async (): Promise<{ state: string }[]> =>
    (await service.manage('operator', `${hooks}/${id}/deliveries`)).json();
  expect((await ping()).status).toBe(202);
  expect(await list()).toMatchObject([{ state: 'pending' }]);
  const refused = await ping();
  const { error } = await refused.json();
  expect([refused.status, error.code]).toEqual([409, 'Conflict']);
  expect(error.message).toContain('MAX_PENDING_DELIVERIES');
  expect(await list()).toHaveLength(1);
  receiver.answer = (response) => void response.writeHead(204).end();
  await receiver.until(1);
  for (const response of held) response.writeHead(204).end();
  await expect.poll(list, { timeout: 30_000, interval: 50 }).toMatchObject([{ state: 'delivered' }]);
  expect((await ping()).status).toBe(202);
  await service.stop();
  await receiver.close();
}, 60_000);
