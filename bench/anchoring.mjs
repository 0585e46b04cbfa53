// Gas of anchors, and what anchoring costs recordings, on a local chain.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAskChain } from '../packages/server/dist/anchors/ask-chain.js';
import { deployRegistry } from '../packages/server/dist/anchors/deploy-registry.js';
import { startLoad } from './support/load.mjs';
import { startPostgres } from './support/postgres.mjs';
import { end, endWithUs, freePort } from './support/processes.mjs';
import { createPerformer, KEY, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const CALLERS = 32;
const ROUNDS = 5;
const SECONDS = 3;
const BATCHES = [1, 10, 100, 1_000];
const CHAIN_ID = 31_337;

export async function run(report) {
  const chain = await startChain();
  try {
    const access = { rpcUrl: chain.url, chainId: CHAIN_ID, privateKey: chain.privateKey };
    const registry = await deployRegistry(access);
    const environment = {
      BLOCKCHAIN_RPC_URL: chain.url,
      BLOCKCHAIN_CHAIN_ID: String(CHAIN_ID),
      BLOCKCHAIN_PRIVATE_KEY: chain.privateKey,
      BLOCKCHAIN_CONTRACT_ADDRESS: registry.contractAddress,
    };
    report.section('anchoring: gas');
    report.figure('gas of making the registry, once', registry.gasUsed);
    await measureGas(report, chain, { ...environment, BLOCKCHAIN_ANCHOR_SECONDS: '0' });
    report.section(`anchoring: POST /v1/action, ${CALLERS} callers, PostgreSQL with fsync`);
    await measureRecordings(report, { ...environment, BLOCKCHAIN_ANCHOR_SECONDS: '1' });
  } finally {
    await end(chain.child, 'SIGKILL');
  }
}

/** Actions that are recorded while no block comes go under the next root together. */
async function measureGas(report, { ask }, environment) {
  const service = await startService(environment);
  try {
    await createPerformer(service, { id: PERFORMER });
    for (const size of BATCHES) {
      // One anchor is under way in no block, so that what follows waits for the next.
      await ask('anvil_setAutomine', [false]);
      await record(service);
      await until(async () => Number((await ask('txpool_status', [])).pending) === 1);
      const ids = [];
      while (ids.length < size) ids.push(await record(service));
      await ask('evm_mine', []);
      await ask('anvil_setAutomine', [true]);
      const { onchain } = await until(async () => {
        const action = await readAction(service, ids.at(-1));
        return action.onchain?.blockNumber !== undefined && action;
      });
      const first = await readAction(service, ids[0]);
      if (first.onchain.txHash !== onchain.txHash) throw new Error('The batch became two anchors');
      const { gasUsed } = await ask('eth_getTransactionReceipt', [onchain.txHash]);
      report.figure(`gas an action, ${size} in one anchor`, Number(gasUsed) / size);
    }
  } finally {
    await service.stop();
  }
}

async function measureRecordings(report, environment) {
  const postgres = await startPostgres();
  const load = startLoad();
  const services = [];
  try {
    const cases = { off: {}, on: environment };
    const speeds = { off: [], on: [] };
    for (const [name, more] of Object.entries(cases)) {
      const service = await startService({
        DATABASE_URL: await postgres.createDatabase(`anchoring_${name}`),
        ...more,
      });
      services.push(service);
      await createPerformer(service, { id: PERFORMER });
    }
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [place, name] of Object.keys(cases).entries()) {
        const keys = Array(CALLERS).fill(KEY);
        const { perSecond } = await load.run({ port: services[place].port, keys, seconds: SECONDS });
        // The first round loads and compiles code.
        if (round > 0) speeds[name].push(perSecond);
      }
    }
    for (const [name, rounds] of Object.entries(speeds))
      report.note(`${name}: ${rounds.map(Math.round).join(', ')} actions/s`);
    const ratios = speeds.on.map((speed, round) => speed / speeds.off[round]);
    report.figure('recordings a second, anchoring on / off', medianOf(ratios));
  } finally {
    for (const service of services) await service.stop();
    await load.stop();
    await postgres.stop();
  }
}

async function startChain() {
  const require = createRequire(fileURLToPath(new URL('../packages/server/package.json', import.meta.url)));
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const anvil = require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`);
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
  const accounts = join(directory, 'accounts.json');
  const fresh = ['--mnemonic-random', '12', '--config-out', accounts];
  const child = spawn(anvil, ['--host', '127.0.0.1', '--port', String(port), '--silent', ...fresh], {
    stdio: 'ignore',
  });
  endWithUs(child);
  const url = `http://127.0.0.1:${port}`;
  const askChain = createAskChain(url);
  await until(() => askChain('eth_chainId', []).catch(() => undefined));
  const [privateKey] = JSON.parse(readFileSync(accounts, 'utf8')).private_keys;
  rmSync(directory, { recursive: true });
  return { url, child, privateKey, ask: askChain };
}

async function record({ base }) {
  const answer = await fetch(`${base}/v1/action`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ performedBy: PERFORMER }),
  });
  return (await answer.json()).actionId;
}

async function readAction({ base }, id) {
  const answer = await fetch(`${base}/v1/action/${id}`, { headers: { authorization: `Bearer ${KEY}` } });
  return answer.json();
}

async function until(check) {
  for (let tries = 0; tries < 600; tries++) {
    const found = await check();
    if (found) return found;
    await sleep(100);
  }
  throw new Error('It did not come to pass');
}
