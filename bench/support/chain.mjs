import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createChainReader } from '../../packages/server/dist/anchors/chain-reader.js';
import { deployRegistry } from '../../packages/server/dist/anchors/deploy-registry.js';
import { end, endWithUs, freePort } from './processes.mjs';

const CHAIN_ID = 31_337;

/** `deploy` deploys a registry and returns the environment for the service. */
export async function startChain() {
  const require = createRequire(
    fileURLToPath(new URL('../../packages/server/package.json', import.meta.url)),
  );
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
  const askChain = createChainReader(url);
  await until(() => askChain('eth_chainId', []).catch(() => undefined));
  const [privateKey] = JSON.parse(readFileSync(accounts, 'utf8')).private_keys;
  rmSync(directory, { recursive: true });
  return {
    ask: askChain,
    deploy: () => deploy({ rpcUrl: url, chainId: CHAIN_ID, privateKey }),
    stop: () => end(child, 'SIGKILL'),
  };
}

async function deploy(access) {
  const registry = await deployRegistry(access);
  const environment = {
    BLOCKCHAIN_RPC_URL: access.rpcUrl,
    BLOCKCHAIN_CHAIN_ID: String(access.chainId),
    BLOCKCHAIN_PRIVATE_KEY: access.privateKey,
    BLOCKCHAIN_CONTRACT_ADDRESS: registry.contractAddress,
  };
  return { registry, environment };
}

/** Calls `check` ten times a second, for at most a minute. Resolves to the first truthy result. */
export async function until(check) {
  for (let tries = 0; tries < 600; tries++) {
    const found = await check();
    if (found) return found;
    await sleep(100);
  }
  throw new Error('The condition was not met after 600 checks (about 60 s).');
}
