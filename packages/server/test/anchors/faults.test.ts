import type { Action } from '@colophon/model';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { listAnchoredLogs } from '../../src/anchors/unanchored-projects.sql.js';
import {
  expectOnChain,
  readOnchain,
  record,
  startAnchored,
  untilStatus,
  untilWord,
} from '../support/anchored-service.js';
import { startChain, type TestChain, until } from '../support/chain.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { openRpcGate, type RpcGate } from '../support/rpc-gate.js';
import { OTHER_KEY, type Service } from '../support/service.js';

vi.setConfig({ testTimeout: 240_000 });

let chain: TestChain;
let gate: RpcGate;
const services: Service[] = [];
beforeEach(async () => {
  chain = await startChain();
  gate = await openRpcGate(chain.url);
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await gate.close();
  await chain.stop();
});

async function start(environment: Record<string, string> = {}): Promise<Service> {
  const rpcUrl = gate.url;
  const service = await startAnchored({ chain, rpcUrl }, { BLOCKCHAIN_CONFIRMATIONS: '5', ...environment });
  services.push(service);
  return service;
}

const expectAnchored = (service: Service, ids: readonly string[]) => expectOnChain(chain, service, ids);

async function expectEachOnce(service: Service) {
  const { provenance } = service.context.databases;
  const made = () => provenance.query<{ state: string }>('select state from provenance.anchor');
  await until(
    async () => (await made()).every(({ state }) => /confirmed|final/.test(state)),
    'all are mined',
  );
  expect(await chain.countAnchors()).toBe((await made()).length);
}

describe('anchoring goes on', () => {
  it('after a reorganisation: the service sends the transaction of the lost block again', async () => {
    const service = await start();
    const id = await record(service);
    const first = await untilStatus(service, id, 'confirmed');
    await chain.ask('anvil_setAutomine', false);
    await chain.ask('anvil_reorg', 1, []);
    await untilStatus(service, id, 'submitted');
    await chain.ask('anvil_setAutomine', true);
    await chain.mine();
    const again = await untilStatus(service, id, 'confirmed');
    expect(again.txHash).toBe(first.txHash);
    expect(service.context.config.chain).toBeDefined();
    await chain.mine(5);
    await untilStatus(service, id, 'final');
    await expectAnchored(service, [id]);
    await expectEachOnce(service);
  });

  it('when a transaction is stuck: one with the same nonce and a higher fee replaces it', async () => {
    const service = await start();
    await untilStatus(service, await record(service), 'confirmed');
    await chain.ask('anvil_setAutomine', false);
    const id = await record(service);
    const stuck = await untilStatus(service, id, 'submitted');
    const before = await chain.readTransaction(stuck.txHash);
    const baseFee = 50_000_000_000n;
    await chain.ask('anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`);
    await chain.mine();
    await chain.ask('anvil_setAutomine', true);
    const mined = await until(async () => {
      await chain.ask('anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`);
      await chain.mine();
      const onchain = await readOnchain(service, id);
      return onchain?.status !== 'submitted' && onchain;
    }, 'the replacement is mined');
    expect(mined.txHash).not.toBe(stuck.txHash);
    const after = await chain.readTransaction(mined.txHash);
    expect(after.nonce).toBe(before.nonce);
    expect(after.maxFeePerGas).toBeGreaterThan(before.maxFeePerGas);
    await expectAnchored(service, [id]);
    await expectEachOnce(service);
  });

  it('when a foreign transaction used the nonce', async () => {
    const service = await start();
    const seen = gate.swallow('eth_sendRawTransaction', 'before');
    const id = await record(service);
    await seen;
    gate.setDown(true);
    // Another program uses the same wallet.
    await chain.ask('eth_sendTransaction', { from: chain.account, to: chain.account, value: '0x1' });
    gate.setDown(false);
    await untilStatus(service, id, 'confirmed');
    await expectAnchored(service, [id]);
    await expectEachOnce(service);
  });

  it('after an RPC outage: /readyz reports it, recording continues, and nothing is lost', async () => {
    const service = await start();
    const before = await record(service);
    await untilStatus(service, before, 'confirmed');
    gate.setDown(true);
    const ids = [await record(service), await record(service)];
    await untilWord(service, /^impaired: The RPC at 127\.0\.0\.1:\d+ does not answer/);
    expect((await service.send('/readyz')).status).toBe(200);
    ids.push(await record(service));
    gate.setDown(false);
    for (const id of ids) await untilStatus(service, id, 'confirmed');
    await untilWord(service, /^ok$/);
    await expectAnchored(service, [before, ...ids]);
  });

  it.each<[what: string, break_: () => Promise<unknown>, mend: () => Promise<unknown>, says: RegExp]>([
    [
      'the wallet was empty',
      () => chain.ask('anvil_setBalance', chain.account, '0x0'),
      () => chain.ask('anvil_setBalance', chain.account, '0xde0b6b3a7640000'),
      /^impaired: The wallet 0x\w{40} has 0 wei; an anchor may cost \d+ wei/,
    ],
    [
      'the RPC served another chain',
      async () => gate.answer('eth_chainId', '0x1'),
      async () => gate.answer('eth_chainId', undefined),
      /^impaired: The RPC serves chain 1, but BLOCKCHAIN_CHAIN_ID says 31337/,
    ],
    [
      'there was no contract',
      async () => gate.answer('eth_getCode', '0x'),
      async () => gate.answer('eth_getCode', undefined),
      /^impaired: There is no contract at BLOCKCHAIN_CONTRACT_ADDRESS/,
    ],
  ])('after %s, which /readyz reports', async (_what, break_, mend, says) => {
    await break_();
    const service = await start();
    const id = await record(service);
    await untilWord(service, says);
    expect((await readOnchain(service, id))?.blockNumber).toBeUndefined();
    await mend();
    await untilStatus(service, id, 'confirmed');
    await expectAnchored(service, [id]);
    await expectEachOnce(service);
  });

  it('after a change of the registry: the new one gets the actions that were in no block yet', async () => {
    const url = await createMigratedDatabase(inject('postgresUrl'));
    const signed = gate.swallow('eth_sendRawTransaction', 'before');
    const service = await start({ DATABASE_URL: url });
    const id = await record(service);
    await signed;
    await services.pop()?.stop();
    const other = await startChain('--chain-id', '31338');
    const moved = await start({ DATABASE_URL: url, ...other.environment, BLOCKCHAIN_CHAIN_NAME: 'other' });
    expect(await untilStatus(moved, id, 'confirmed')).toMatchObject({ chainName: 'other' });
    await other.stop();
  });
});

describe('two nodes at once', () => {
  it('anchor every action exactly once, even if one of them stops', async () => {
    const url = await createMigratedDatabase(inject('postgresUrl'));
    const environment = {
      DATABASE_URL: url,
      SERVER_SIGNING_KEY: '5e'.repeat(32),
      PUBLIC_URL: 'http://a.example',
    };
    const [one, two] = [await start(environment), await start(environment)];
    const ids = [];
    for (let count = 0; count < 10; count++) ids.push(await record(count % 2 === 0 ? one : two));
    await untilStatus(two, ids.at(-1) ?? '', 'confirmed');
    await services.shift()?.stop();
    for (let count = 0; count < 5; count++) ids.push(await record(two));
    for (const id of ids) await untilStatus(two, id, 'confirmed');
    await expectAnchored(two, ids);
    await expectEachOnce(two);
  });
});

describe('BLOCKCHAIN_ANCHOR=action', () => {
  it('sends the digest of each action separately', async () => {
    const service = await start({ BLOCKCHAIN_ANCHOR: 'action' });
    await untilWord(service, /^ok$/);
    const before = await record(service);
    await untilStatus(service, before, 'confirmed');
    const ids = await Promise.all(Array.from({ length: 40 }, () => record(service)));
    const hashes = new Set<string>();
    for (const id of ids) {
      const { txHash, proof } = await untilStatus(service, id, 'confirmed');
      hashes.add(txHash);
      expect(proof?.heads).toBeUndefined();
    }
    expect(hashes.size).toBe(40);
    await expectAnchored(service, ids.slice(0, 5));
  });
});

describe('a project', () => {
  it('that turned anchoring off is not anchored until it turns anchoring on again', async () => {
    const service = await start();
    const setting = (anchoring: boolean) =>
      service.manage('operator', `/projects/${namedProjectId('one')}`, {
        method: 'PUT',
        body: { anchoring },
      });
    expect(await (await setting(false)).json()).toMatchObject({ anchoring: false });
    const authorization = `Bearer ${OTHER_KEY}`;
    const id = await record(service);
    const other = await (
      await service.upload('of another project', undefined, { authorization, prefer: 'wait=30' })
    ).json();
    expect(other.onchain).toMatchObject({ status: 'confirmed' });
    expect(await readOnchain(service, id)).toBeUndefined();
    await setting(true);
    await untilStatus(service, id, 'confirmed');
    await expectAnchored(service, [id]);
  });

  it('that turns anchoring off while the service looks for its log is left out of the anchor', async () => {
    const { manage, context } = await start();
    const { control } = context.databases;
    const [projectId, other] = [namedProjectId('one'), namedProjectId('two')];
    const logs = await listAnchoredLogs(control, async (except) => {
      expect(except).toEqual([]);
      await manage('operator', `/projects/${projectId}`, { method: 'PUT', body: { anchoring: false } });
      return [{ projectId }, { projectId: other }];
    });
    expect(logs).toEqual([{ projectId: other }]);
  });
});

describe('reports about anchoring', () => {
  it('/metrics counts anchoring events, and /management/network names the chain', async () => {
    const service = await start();
    await untilStatus(service, await record(service), 'confirmed');
    const metrics = await (await service.send('/metrics')).text();
    expect(metrics).toMatch(/^colophon_anchor_events_total\{event="transactions"\} [12]$/m);
    expect(metrics).toMatch(/^colophon_anchors\{state="confirmed"\} [12]$/m);
    expect(metrics).toContain('colophon_anchors{state="due"} 0');
    expect(await (await service.manage('ann', '/network')).json()).toMatchObject({
      configured: true,
      chainId: 31_337,
      chainName: 'local',
      isTestnet: true,
    });
  });
});

describe('an RPC outage', () => {
  it('delays 1,001 actions, which then need at most two transactions', async () => {
    const service = await start();
    gate.setDown(true);
    const ids = [await record(service)];
    // One anchor covers the records before the outage; another covers all later ones.
    const { provenance } = service.context.databases;
    await until(
      async () => (await provenance.query('select from provenance.anchor')).length > 0,
      'one is ordered',
    );
    for (let round = 0; round < 20; round++)
      ids.push(...(await Promise.all(Array.from({ length: 50 }, () => record(service)))));
    gate.setDown(false);
    await untilStatus(service, ids.at(-1) ?? '', 'confirmed');
    const hashes = new Map<string, number>();
    for (let offset = 0; offset <= 1_000; offset += 200) {
      const { actions } = await (await service.send(`/v1/actions?limit=200&offset=${offset}`)).json();
      for (const { onchain } of actions as Action[])
        hashes.set(onchain?.txHash ?? '', (hashes.get(onchain?.txHash ?? '') ?? 0) + 1);
    }
    expect([...hashes.values()].reduce((sum, count) => sum + count, 0)).toBe(1_001);
    expect(hashes.size).toBeLessThanOrEqual(2);
    expect(Math.max(...hashes.values())).toBeGreaterThan(900);
    expect(hashes.has('')).toBe(false);
    await expectAnchored(service, [ids[0] ?? '', ids[500] ?? '', ids[999] ?? '']);
  });
});
