import { afterEach, expect, it } from 'vitest';
import { createClient } from '../src/index.js';
import { type StandIn, says, startStandIn } from './support/stand-in.js';

let standIn: StandIn;
afterEach(() => standIn.close());

it('JSON and file recordings send the header `Prefer` only with a preference', async () => {
  standIn = await startStandIn(says(201, {}));
  const client = createClient({ url: standIn.url });
  await client.actions.record({ performedBy: 'ann' }, { prefer: { receipt: true, waitSeconds: 20 } });
  await client.file(new Uint8Array(1), { entity: { role: 'ai' } }, { prefer: { receipt: true } });
  await client.entities.create({ role: 'ai' }, { prefer: { receipt: false } });
  await client.entities.create({ role: 'ai' });
  expect(standIn.received.map(({ headers }) => headers.prefer)).toEqual([
    'return=representation, wait=20',
    'return=representation',
    undefined,
    undefined,
  ]);
});

it('a wait for an anchor extends the timeout of the call', async () => {
  standIn = await startStandIn((response) => setTimeout(() => says(201, { actionId: 'a' })(response), 600));
  const client = createClient({ url: standIn.url, timeoutMs: 200, maxRetries: 0 });
  const action = { performedBy: 'ann' };
  await expect(client.actions.record(action, { prefer: { waitSeconds: 30 } })).resolves.toBeDefined();
  await expect(client.actions.record(action)).rejects.toMatchObject({ reason: 'late' });
});
