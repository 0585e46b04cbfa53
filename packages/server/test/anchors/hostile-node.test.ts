import { bytesToHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { listDueLogs } from '../../src/anchors/anchors.sql.js';
import { deployRegistry } from '../../src/anchors/deploy-registry.js';
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
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

vi.setConfig({ testTimeout: 240_000 });

const KEY_OF_RPC = '0123456789abcdef';

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
  const rpcUrl = `${gate.url}/v3/${KEY_OF_RPC}`;
  const service = await startAnchored({ chain, rpcUrl }, { BLOCKCHAIN_CONFIRMATIONS: '2', ...environment });
  services.push(service);
  return service;
}

const result = (of: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result: of });
const error = (message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } });

describe('anchoring', () => {
  it.each<[what: string, says: RegExp, ...Parameters<RpcGate['say']>]>([
    ['an answer that never ends', /does not answer/, 'eth_blockNumber', '{"result":', 'endless'],
    ['an answer of 10 MB', /^impaired: /, 'eth_getBlockByNumber', Buffer.alloc(10_000_000, ' ')],
    ['an invalid number', /answer that cannot be read/, 'eth_blockNumber', result('banana')],
    [
      'an invalid receipt',
      /answer that cannot be read/,
      'eth_getTransactionReceipt',
      result({ status: '0x1' }),
    ],
    [
      'an error message with the key of the RPC',
      /rejected the request: no plan for \*\*\*/,
      'eth_estimateGas',
      error(`no plan for ${KEY_OF_RPC}`),
    ],
  ])('recovers from %s, which /readyz reports', async (_what, says, ...said) => {
    gate.say(...said);
    const service = await start();
    const id = await record(service);
    await untilWord(service, says);
    expect(await (await service.send('/readyz')).text()).not.toContain(KEY_OF_RPC);
    gate.say(said[0], undefined);
    await untilStatus(service, id, 'confirmed');
    await expectOnChain(chain, service, [id]);
  });
});

describe('an anchor is sent again with another nonce', () => {
  it('when its transaction ran out of gas', async () => {
    const service = await start();
    // While an anchor is not mined yet, new records wait for the next anchor.
    await untilStatus(service, await record(service), 'confirmed', 'final');
    gate.answer('eth_estimateGas', `0x${(19_000).toString(16)}`);
    const id = await record(service);
    const { txHash } = await untilStatus(service, id, 'submitted');
    gate.answer('eth_estimateGas', undefined);
    const mined = await untilStatus(service, id, 'confirmed', 'final');
    expect(await chain.ask('eth_getTransactionReceipt', txHash)).toMatchObject({ status: '0x0' });
    const [failed, repeated] = await Promise.all([txHash, mined.txHash].map(chain.readTransaction));
    expect(repeated?.nonce).toBeGreaterThan(failed?.nonce ?? 0n);
    await expectOnChain(chain, service, [id]);
  });

  it('when only an unsent transaction, for a former registry, has the preceding nonce', async () => {
    const { privateKey } = mnemonicToAccount('test test test test test test test test test test test junk', {
      addressIndex: 1,
    }).getHdKey();
    const access = {
      rpcUrl: chain.url,
      chainId: 31_337,
      privateKey: bytesToHex(privateKey ?? new Uint8Array()),
    };
    const other = await deployRegistry(access);
    const url = await createMigratedDatabase(inject('postgresUrl'));
    const signed = gate.swallow('eth_sendRawTransaction', 'before');
    const service = await start({ DATABASE_URL: url });
    const id = await record(service);
    await signed;
    await services.pop()?.stop();
    const moved = await start({ DATABASE_URL: url, BLOCKCHAIN_CONTRACT_ADDRESS: other.contractAddress });
    const { contractAddress } = await untilStatus(moved, id, 'confirmed', 'final');
    expect(contractAddress).toBe(other.contractAddress);
    await expectOnChain(chain, moved, [id]);
  });

  it('when a reorganisation removes its block and the final block of an earlier anchor', async () => {
    const service = await start();
    const first = await record(service);
    await untilStatus(service, first, 'confirmed');
    const second = await record(service);
    await untilStatus(service, first, 'final');
    expect((await untilStatus(service, second, 'confirmed')).status).toBe('confirmed');
    await chain.ask('anvil_setAutomine', false);
    await chain.ask('anvil_reorg', 2, []);
    await untilStatus(service, second, 'submitted');
    await chain.ask('anvil_setAutomine', true);
    await until(async () => {
      await chain.mine();
      return (await readOnchain(service, second))?.status !== 'submitted';
    }, 'the second is in a block again');
    await expectOnChain(chain, service, [second]);
  });
});

describe('Prefer: wait=N', () => {
  it('does not wait in a project that turned anchoring off', async () => {
    const service = await start();
    await service.manage('operator', `/projects/${namedProjectId('one')}`, {
      method: 'PUT',
      body: { anchoring: false },
    });
    const answer = await service.send('/v1/action', jsonPost({ performedBy: 'ann' }, { prefer: 'wait=60' }));
    expect(answer.headers.get('preference-applied')).toBeNull();
    expect((await answer.json()).onchain).toBeUndefined();
  });

  it('ends with status 201 when the service closes', { timeout: 50_000 }, async () => {
    const service = await start();
    gate.setDown(true);
    const answer = service.send('/v1/action', jsonPost({ performedBy: 'ann' }, { prefer: 'wait=60' }));
    const count = () =>
      service.context.databases.provenance.query('select 1 from provenance.action where id is not null');
    await until(async () => (await count()).length > 0, 'it is recorded');
    services.pop();
    await service.context.close();
    expect((await answer).status).toBe(201);
  });
});

describe('the anchor of an action', () => {
  it('is found without reading every anchor', async () => {
    const service = await startService(ANY_ENGINE);
    services.push(service);
    const { provenance } = service.context.databases;
    await provenance.query(
      `insert into provenance.anchor (id, root, chain_id, chain_name, contract)
       select gen_random_uuid(), '', 1, '', '' from generate_series(1, 2000)`,
    );
    await provenance.query('analyze provenance.anchor');
    const plan = await provenance.query(
      `explain select * from provenance.anchor_of(gen_random_uuid(), 1) h
       join provenance.anchor a on a.id = h.anchor_id`,
    );
    expect(JSON.stringify(plan)).toContain('anchor_pkey');
  });
});

describe('logs that wait for an anchor', () => {
  it('are all selected within 200 rounds, each of which selects one', async () => {
    const service = await start({ BLOCKCHAIN_ANCHOR_SECONDS: '86400' });
    const { provenance } = service.context.databases;
    await until(
      async () => (await provenance.query('select 1 from provenance.anchor')).length > 0,
      'its turn is over',
    );
    await provenance.query(
      'insert into provenance.anchor_due (project_id, size) select gen_random_uuid(), 1 from generate_series(1, 3)',
    );
    const seen = new Set<string>();
    for (let tries = 0; tries < 200; tries++)
      for (const { projectId } of await listDueLogs(provenance, [namedProjectId('one')], 1))
        seen.add(projectId);
    expect(seen.size).toBe(3);
  });
});
