import {
  type Action,
  type Onchain,
  parseTrustedLog,
  type Receipt,
  type TrustedLog,
  verifyAnchor,
  verifyReceipt,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { createChainReader } from '../../src/anchors/chain-reader.js';
import { startChain, type TestChain, until } from '../support/chain.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const PACE = { pollSeconds: 0.1, bumpSeconds: 2, resendSeconds: 1 };
const verify = createVerifySignature();

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

const readAction = async (service: Service, id: string): Promise<Action> =>
  (await service.send(`/v1/action/${id}`)).json();

const untilOnchain = (service: Service, id: string, status: Onchain['status']) =>
  until(async () => {
    const { onchain } = await readAction(service, id);
    return onchain?.status === status && onchain;
  }, `action ${id} is ${status}`);

const readTrusted = async (service: Service): Promise<TrustedLog> =>
  parseTrustedLog((await (await service.send('/v1/log')).json()).verifierKey) as TrustedLog;

describe('with a chain', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, {
      environment: { ...chain.environment, BLOCKCHAIN_CONFIRMATIONS: '3' },
      overrides: { anchoringPace: PACE },
    });
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
  });
  afterAll(() => service.stop());

  it('a recorded action appears on the chain with a proof, and is final after three blocks', async () => {
    const { actionId } = await (await service.upload('photo')).json();
    const confirmed = await untilOnchain(service, actionId, 'confirmed');
    expect(confirmed).toMatchObject({
      chainId: 31_337,
      chainName: 'local',
      contractAddress: chain.contractAddress,
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      blockNumber: expect.any(Number),
      logIndex: 0,
    });
    await chain.mine(3);
    const { txHash } = await untilOnchain(service, actionId, 'final');
    expect(txHash).toBe(confirmed.txHash);
  });

  it('the receipt of an action links the record to the event on the chain', async () => {
    const { actionId } = await (await service.upload('receipt')).json();
    await untilOnchain(service, actionId, 'confirmed');
    const receipt = (await (await service.send(`/v1/action/${actionId}/receipt`)).json()) as Receipt;
    const report = verifyReceipt(receipt, await readTrusted(service), verify);
    if (!report.verified || report.anchor === null) throw new Error(JSON.stringify(report));
    expect(await verifyAnchor(report.anchor, createChainReader(chain.url))).toMatchObject({
      verified: true,
      by: chain.account.toLowerCase(),
    });
  });

  it('Prefer: wait=N returns the position on the chain; the default does not wait', async () => {
    const at = await service.send('/v1/action', jsonPost({ performedBy: 'ann' }));
    expect((await at.json()).onchain).toBeUndefined();
    const waited = await service.send(
      '/v1/action',
      jsonPost({ performedBy: 'ann' }, { prefer: 'return=representation, wait=30' }),
    );
    expect(waited.headers.get('preference-applied')).toBe('wait=30, return=representation');
    expect(await waited.json()).toMatchObject({
      onchain: { status: 'confirmed' },
      action: { onchain: { status: 'confirmed' } },
    });
    const uploaded = await service.upload(`waited for`, undefined, { prefer: 'wait=30' });
    expect(await uploaded.json()).toMatchObject({ onchain: { status: 'confirmed' } });
  });

  it('one root covers the newest checkpoints of two projects', async () => {
    const before = await chain.countAnchors();
    await until(
      async () =>
        (
          await service.context.databases.provenance.query(
            'select project_id from provenance.anchor_due where size > anchored_size',
          )
        ).length === 0,
      'nothing is due',
    );
    const authorization = `Bearer ${OTHER_KEY}`;
    await chain.ask('anvil_setAutomine', false);
    await service.upload(`first of one`);
    await until(
      async () => ((await chain.ask('txpool_status')) as { pending: string }).pending === '0x1',
      'sent',
    );
    const one = await (await service.upload(`second of one`)).json();
    const two = await (await service.upload(`of two`, undefined, { authorization })).json();
    await chain.mine();
    await chain.ask('anvil_setAutomine', true);
    const onchain = await untilOnchain(service, one.actionId, 'confirmed');
    expect(onchain.proof?.heads?.size).toBe(2);
    const other = await (
      await service.send(`/v1/action/${two.actionId}`, { headers: { authorization } })
    ).json();
    expect(other.onchain).toMatchObject({ txHash: onchain.txHash, proof: { root: onchain.proof?.root } });
    expect(await chain.countAnchors()).toBe(before + 2);
  });

  it('/readyz reports that anchoring is on', async () => {
    const { checks } = await (await service.send('/readyz')).json();
    expect(checks.anchoring).toBe('ok');
  });
});
