import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesToHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { createChainReader } from '../../src/anchors/chain-reader.js';
import { deployRegistry } from '../../src/anchors/deploy-registry.js';
import { freePort } from './free-port.js';

/** A real EVM node on this machine, with a registry. */
export interface TestChain {
  url: string;
  contractAddress: string;
  /** The private key of a funded account. */
  privateKey: string;
  account: string;
  environment: Record<string, string>;
  ask(method: string, ...parameters: unknown[]): Promise<unknown>;
  mine(count?: number): Promise<void>;
  /** Each anchor emits one event in the current blocks. */
  countAnchors(): Promise<number>;
  /** `maxFeePerGas`: wei per unit of gas. The node must know the transaction. */
  readTransaction(hash: string): Promise<{ nonce: bigint; maxFeePerGas: bigint }>;
  /** Ends the node abruptly; its state is lost. */
  stop(): Promise<void>;
}

/** The public mnemonic of anvil's development accounts. */
const MNEMONIC = 'test test test test test test test test test test test junk';

/** The node mines a block for each transaction, unless `extra` changes this. `extra`: arguments of anvil. */
export async function startChain(...extra: string[]): Promise<TestChain> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const node = await startNode(url, port, extra);
  const hdKey = mnemonicToAccount(MNEMONIC);
  const privateKey = bytesToHex(hdKey.getHdKey().privateKey ?? new Uint8Array());
  const askChain = createChainReader(url);
  const chainId = Number(await askChain('eth_chainId', []));
  const deployed = deployRegistry({ rpcUrl: url, chainId, privateKey });
  const { contractAddress } = await deployed.catch(async (error) => {
    await end(node);
    throw error;
  });
  const ask: TestChain['ask'] = (method, ...parameters) => askChain(method, parameters);
  return {
    url,
    contractAddress,
    privateKey,
    account: hdKey.address,
    environment: {
      BLOCKCHAIN_RPC_URL: url,
      BLOCKCHAIN_CHAIN_ID: String(chainId),
      BLOCKCHAIN_CHAIN_NAME: 'local',
      BLOCKCHAIN_CONTRACT_ADDRESS: contractAddress,
      BLOCKCHAIN_PRIVATE_KEY: privateKey,
      BLOCKCHAIN_ANCHOR_SECONDS: '0',
    },
    ask,
    mine: async (count = 1) => void (await ask('anvil_mine', `0x${count.toString(16)}`)),
    async countAnchors() {
      const logs = await ask('eth_getLogs', { fromBlock: '0x0', address: contractAddress });
      return (logs as unknown[]).length;
    },
    async readTransaction(hash) {
      const found = (await ask('eth_getTransactionByHash', hash)) as Record<string, string>;
      return { nonce: BigInt(String(found.nonce)), maxFeePerGas: BigInt(String(found.maxFeePerGas)) };
    },
    stop: () => end(node),
  };
}

async function startNode(url: string, port: number, extra: string[]): Promise<ChildProcess> {
  const require = createRequire(import.meta.url);
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const binary = require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`);
  const node = spawn(binary, ['--host', '127.0.0.1', '--port', String(port), '--silent', ...extra], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // If a suite fails before it stops the chain, the node ends with this process.
  const kill = () => node.kill('SIGKILL');
  process.once('exit', kill);
  node.once('exit', () => process.off('exit', kill));
  const ask = createChainReader(url);
  for (let tries = 0; tries < 600; tries++) {
    const chainId = await ask('eth_chainId', []).catch(() => undefined);
    if (chainId !== undefined) return node;
    await sleep(50);
  }
  await end(node);
  throw new Error('anvil did not start');
}

async function end(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const exited = new Promise((resolve) => node.once('exit', resolve));
  node.kill('SIGKILL');
  await exited;
}

/** Waits until the check returns neither false nor undefined. Throws after 600 checks. */
export async function until<Answer>(
  check: () => Promise<Answer | undefined | false>,
  what: string,
): Promise<Answer> {
  for (let tries = 0; tries < 600; tries++) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    await sleep(100);
  }
  throw new Error(`The condition was not met after 600 checks (about 60 s): ${what}`);
}
