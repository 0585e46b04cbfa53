// Records a file with a service that anchors on a local chain, and shuts the service down. Then verifies the receipt
// with only the log's public key and the chain.
//
//   node examples/anchored-receipt.mjs
//
// The script starts the chain (anvil, which `npm ci` installs) and the service.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const KEY = 'key-of-this-example';
const server = fileURLToPath(new URL('../packages/server/dist/', import.meta.url));
const running = [];
const directory = mkdtempSync(join(tmpdir(), 'colophon-example-'));
try {
  await main();
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
}

async function main() {
  // 1. Start a chain, and deploy a registry on it.
  const { rpcUrl, privateKey } = await startChain();
  const chain = {
    BLOCKCHAIN_RPC_URL: rpcUrl,
    BLOCKCHAIN_CHAIN_ID: '31337',
    BLOCKCHAIN_CHAIN_NAME: 'local',
    BLOCKCHAIN_PRIVATE_KEY: privateKey,
  };
  const { contractAddress } = JSON.parse(await colophon(['anchor', 'deploy', '--json'], chain));
  console.log(`registry at ${contractAddress}`);

  // 2. Start a service that writes its anchors to this chain.
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const service = start(process.execPath, [join(server, 'main.js')], {
    ...chain,
    BLOCKCHAIN_CONTRACT_ADDRESS: contractAddress,
    PORT: String(port),
    API_KEYS: KEY,
    LOG_LEVEL: 'fatal',
  });
  await until(() => fetch(`${base}/healthz`).then(({ ok }) => ok));

  // 3. Record a file, and wait until the anchor is on the chain. Read the receipt and the key of the log.
  const form = new FormData();
  form.set('json', JSON.stringify({ entity: { id: 'studio:ann', role: 'human', name: 'Ann' } }));
  form.set('file', new Blob(['a photo by Ann']), 'photo.txt');
  const recorded = await ask(`${base}/v1/activity`, { method: 'POST', body: form, prefer: 'wait=60' });
  console.log(
    `recorded ${recorded.cid}, ${recorded.onchain?.status} in block ${recorded.onchain?.blockNumber}`,
  );
  const receipt = await ask(`${base}/v1/action/${recorded.actionId}/receipt`);
  const { verifierKey } = await ask(`${base}/v1/log`);
  const file = join(directory, 'receipt.json');
  writeFileSync(file, JSON.stringify(receipt));

  // 4. Shut the service down.
  service.kill('SIGTERM');
  await once(service, 'exit');
  console.log('the service is shut down');

  // 5. Verify the stored receipt with only the key and the chain.
  process.stdout.write(await colophon(['verify', file, '--key', verifierKey, '--rpc', rpcUrl], {}));

  // 6. A changed receipt is not valid.
  receipt.record.body.type = 'reference';
  writeFileSync(file, JSON.stringify(receipt));
  const refusal = await colophon(['verify', file, '--key', verifierKey, '--rpc', rpcUrl], {}).catch(
    (error) => error,
  );
  console.log(`changed: exit code ${refusal.code}, ${refusal.stdout}`.trim());
}

async function startChain() {
  const require = createRequire(join(server, '../package.json'));
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const anvil = require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`);
  const port = await freePort();
  const rpcUrl = `http://127.0.0.1:${port}`;
  // anvil creates new accounts, and writes them to this file.
  const accounts = join(directory, 'accounts.json');
  const fresh = ['--mnemonic-random', '12', '--config-out', accounts];
  start(anvil, ['--host', '127.0.0.1', '--port', String(port), '--silent', ...fresh], {});
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'content-type': 'application/json' };
  await until(() => fetch(rpcUrl, { method: 'POST', headers, body }).then(({ ok }) => ok));
  const [privateKey] = JSON.parse(readFileSync(accounts, 'utf8')).private_keys;
  return { rpcUrl, privateKey };
}

function start(command, argv, environment) {
  const child = spawn(command, argv, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.push(child);
  return child;
}

async function colophon(argv, environment) {
  const env = { PATH: process.env.PATH, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [join(server, 'cli.js'), ...argv], { env });
  return stdout;
}

async function ask(url, { prefer, ...init } = {}) {
  const headers = { authorization: `Bearer ${KEY}`, ...(prefer && { prefer }) };
  const answer = await fetch(url, { ...init, headers });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${url}: ${body.error.message} ${body.error.recovery ?? ''}`);
  return body;
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

async function until(check) {
  for (let tries = 0; tries < 600; tries++) {
    if (await check().catch(() => false)) return;
    await sleep(100);
  }
  throw new Error('The chain or the service did not start within a minute.');
}
