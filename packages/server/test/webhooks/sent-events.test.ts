import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { PACE, record, untilStatus } from '../support/anchored-service.js';
import { startChain, type TestChain } from '../support/chain.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { jsonPost, type Service, startService } from '../support/service.js';

const PROJECT = namedProjectId('one');
const HOOKS = `/projects/${PROJECT}/webhooks`;

describe('a service that anchors and runs integrity checks', () => {
  let chain: TestChain;
  let receiver: Receiver;
  let service: Service;
  beforeAll(async () => {
    chain = await startChain();
    receiver = await startReceiver();
    service = await startService('PostgreSQL', {
      environment: {
        ...chain.environment,
        ALLOW_PRIVATE_ADDRESSES: 'true',
        BLOCKCHAIN_CONFIRMATIONS: '2',
        AUDIT_INTERVAL_MINUTES: '1',
      },
      overrides: { anchoringPace: PACE, integrity: { intervalMs: 100, pollMs: 50, share: 1 } },
    });
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await Promise.all([receiver.close(), chain.stop()]);
  });

  it('sends an event when an anchor is final, but not if it was final before the webhook existed', async () => {
    const before = await record(service);
    await untilStatus(service, before, 'confirmed', 'final');
    await chain.mine(2);
    await untilStatus(service, before, 'final');
    await service.manage('operator', HOOKS, { body: { url: receiver.url, events: ['action.anchored'] } });
    const id = await record(service);
    await untilStatus(service, id, 'confirmed', 'final');
    expect(receiver.received).toEqual([]);
    await chain.mine(2);
    const { txHash } = await untilStatus(service, id, 'final');
    const [event] = await receiver.until(1);
    expect(event?.message).toMatchObject({
      type: 'action.anchored',
      data: {
        projectId: PROJECT,
        actionIds: [id],
        complete: true,
        anchor: { txHash, chainId: 31_337, contractAddress: chain.contractAddress, status: 'final' },
      },
    });
    expect(receiver.received).toHaveLength(1);
  }, 120_000);

  it('sends the findings of the integrity check once, in one event', async () => {
    const id = await record(service);
    const heard = await startReceiver();
    await service.manage('operator', HOOKS, { body: { url: heard.url, events: ['audit.mismatch'] } });
    const { provenance } = service.context.databases;
    await provenance.query(
      `update provenance.action set body = body || '{"type":"generate"}' where id = $1`,
      [id],
    );
    const [event] = await heard.until(1);
    expect(event?.message).toMatchObject({
      type: 'audit.mismatch',
      data: {
        projectId: PROJECT,
        // `unlinked`: the list of actions by type has another type for this action.
        findings: ['altered', 'unlinked'].map((problem) => ({ kind: 'action', subject: id, problem })),
      },
    });
    const [{ number } = { number: 0 }] = await provenance.query<{ number: number }>(
      'select number::int as number from provenance.audit_pass',
    );
    await expect
      .poll(
        async () =>
          (
            await provenance.query<{ number: number }>(
              'select number::int as number from provenance.audit_pass',
            )
          )[0]?.number,
        { timeout: 60_000 },
      )
      .toBeGreaterThan(number + 2);
    expect(heard.received).toHaveLength(1);
    await heard.close();
  }, 120_000);
});
