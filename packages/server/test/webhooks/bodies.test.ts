import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { insertMessages, noteAttempt } from '../../src/webhooks/deliveries.sql.js';
import { isOnCluster } from '../support/citus-databases.js';
import { openOn } from '../support/open-on.js';
import { startReceiver } from '../support/receiver.js';
import { ANY_ENGINE, jsonPost, startService } from '../support/service.js';

const SOON = { timeout: 30_000, interval: 50 };

it('a delivery whose body is missing fails, and its endpoint gets no empty event', async () => {
  const receiver = await startReceiver();
  receiver.answer = (response) => void response.writeHead(500).end();
  const service = await startService(ANY_ENGINE, {
    environment: { ALLOW_PRIVATE_ADDRESSES: 'true' },
    overrides: { webhookRetrySeconds: () => 3_600 },
  });
  const { provenance } = service.context.databases;
  const hooks = `/projects/${namedProjectId('one')}/webhooks`;
  const ask = async (path: string, body?: unknown) =>
    (await service.manage('operator', path, body === undefined ? {} : { body })).json();
  const { id } = await ask(hooks, { url: receiver.url });
  const deliveries = () => ask(`${hooks}/${id}/deliveries`);
  await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
  await service.send('/v1/action', jsonPost({ performedBy: 'ann' }));
  const jobs = () =>
    provenance.query(`select due_at > now() + interval '10 minutes' as "isLater" from provenance.outbox
      where kind = 'webhook-delivery'`);
  await expect.poll(jobs, SOON).toEqual([{ isLater: true }]);
  expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: 1, status: 500 }]);
  await provenance.query('delete from provenance.webhook_body');
  await provenance.query(`update provenance.outbox set due_at = now() where kind = 'webhook-delivery'`);
  await expect
    .poll(deliveries, SOON)
    .toMatchObject([{ state: 'failed', attempts: 2, error: 'the body of the event is missing' }]);
  expect(receiver.received).toHaveLength(1);
  await service.stop();
  await receiver.close();
}, 60_000);

describe.each(['PGlite in memory', 'PostgreSQL'])('the bodies of events, on %s', (engine) => {
  // On Citus, the nodes count the updates of their shards.
  it.skipIf(isOnCluster())('only the end of the last delivery changes the indexes of a body', async () => {
    const { provenance, close } = await openOn(engine);
    const projectId = uuidv7();
    const body = '"'.padEnd(50_000, 'x');
    const messages = Array.from({ length: 5 }, () => ({
      ...{ id: uuidv7(), webhookId: uuidv7(), event: 'action.recorded' },
      body,
    }));
    await insertMessages(provenance, projectId, messages);
    const counts = await provenance.transaction(async (tx) => {
      for (const { id } of messages)
        await noteAttempt(tx, { projectId, id }, { attempts: 1, state: 'delivered' });
      return tx.query(
        `select n_tup_upd::int as updates, n_tup_hot_upd::int as hot from pg_stat_xact_user_tables
         where relid = 'provenance.webhook_body'::regclass`,
      );
    });
    expect(counts).toEqual([{ updates: 5, hot: 4 }]);
    await close();
  });
});
