import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Onchain, parseTrustedLog, verifyAnchor, verifyReceipt } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { createChainReader } from '../../src/anchors/chain-reader.js';
import { startChain, type TestChain, until } from '../support/chain.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { openRpcGate, type RpcGate } from '../support/rpc-gate.js';

let chain: TestChain;
let gate: RpcGate;
beforeAll(async () => {
  chain = await startChain();
  gate = await openRpcGate(chain.url);
});
afterAll(async () => {
  await gate.close();
  await chain.stop();
});

const STEPS: [step: string, method: string, when: 'before' | 'after'][] = [
  ['the service has stored a new anchor, and signed no transaction', 'eth_estimateGas', 'before'],
  ['the transaction is stored, and the node has not received it', 'eth_sendRawTransaction', 'before'],
  ['the node has the transaction, and the service has no answer', 'eth_sendRawTransaction', 'after'],
  ['the transaction is in a block, and the service has no answer', 'eth_getTransactionReceipt', 'after'],
];

const readOnchain = async (service: ServiceProcess, id: string): Promise<Onchain | undefined> =>
  (await (await service.send(`/v1/action/${id}`)).json()).onchain;

/** Both engines store anchors with the same statements. */
const KILLED = process.env.LONG_TESTS ? ['PGlite', 'PostgreSQL'] : ['PostgreSQL'];

describe.each(KILLED)('kill -9 of the service while it anchors, on %s', (engine) => {
  it.each(STEPS)(
    'the action is anchored exactly once: %s',
    async (_step, method, when) => {
      const directory = mkdtempSync(path.join(tmpdir(), 'colophon-anchor-'));
      const environment = {
        ...chain.environment,
        BLOCKCHAIN_RPC_URL: gate.url,
        DATA_DIR: directory,
        ...(engine === 'PGlite' ? {} : { DATABASE_URL: await createMigratedDatabase(inject('postgresUrl')) }),
      };
      const before = await chain.countAnchors();
      const first = await startProcess(environment);
      const reached = gate.swallow(method, when);
      const { actionId } = await (await first.upload(`content of ${method} ${when}`)).json();
      await reached;
      await first.kill9();
      const second = await startProcess(environment);
      await until(async () => (await readOnchain(second, actionId))?.blockNumber, 'the action is in a block');
      const receipt = await (await second.send(`/v1/action/${actionId}/receipt`)).json();
      const trusted = parseTrustedLog((await (await second.send('/v1/log')).json()).publicKey);
      const report = verifyReceipt(
        receipt,
        trusted ?? { publicKey: new Uint8Array() },
        createVerifySignature(),
      );
      if (!report.verified || report.anchor === null) throw new Error(JSON.stringify(report));
      expect(await verifyAnchor(report.anchor, createChainReader(chain.url))).toMatchObject({
        verified: true,
      });
      expect(await chain.countAnchors()).toBe(before + 1);
      await second.stop();
      rmSync(directory, { recursive: true });
    },
    240_000,
  );
});
