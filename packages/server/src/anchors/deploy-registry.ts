import { setTimeout as sleep } from 'node:timers/promises';
import { type Hex, keccak256, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { REGISTRY_BYTECODE } from './anchor-registry.js';
import { ChainTrouble } from './chain.js';
import { asked, type ChainAccess, connect, readReceipt } from './open-chain.js';

export interface DeployedRegistry {
  contractAddress: string;
  txHash: string;
  blockNumber: number;
  gasUsed: number;
}

const WAIT_MS = 180_000;
const LOOK_MS = 500;

/** Waits up to three minutes until a block contains the registry. Rejects with ChainTrouble. */
export async function deployRegistry(
  access: Omit<ChainAccess, 'contractAddress'>,
): Promise<DeployedRegistry> {
  const node = connect(access.rpcUrl);
  const ask = <Answer>(question: () => Promise<Answer>) =>
    asked(access.rpcUrl, new AbortController().signal, question);
  const chainId = await ask(() => node.getChainId());
  if (chainId !== access.chainId)
    throw new ChainTrouble('wrongChain', `The RPC serves chain ${chainId}, not ${access.chainId}.`);
  const raw = await ask(() => sign(node, access));
  await ask(() => node.sendRawTransaction({ serializedTransaction: raw }));
  for (const startMs = performance.now(); performance.now() - startMs < WAIT_MS; await sleep(LOOK_MS)) {
    const receipt = await ask(() => readReceipt(node, keccak256(raw)));
    if (receipt === undefined) continue;
    const { contractAddress, transactionHash: txHash, blockNumber, gasUsed, status } = receipt;
    if (status !== 'success' || !contractAddress)
      throw new ChainTrouble('refused', `The transaction ${txHash} failed.`);
    return { contractAddress, txHash, blockNumber: Number(blockNumber), gasUsed: Number(gasUsed) };
  }
  throw new ChainTrouble(
    'unreachable',
    `Transaction ${keccak256(raw)} was sent, but no block contains it yet. Look up this transaction before you deploy again.`,
  );
}

async function sign(
  node: PublicClient,
  { privateKey, chainId }: Pick<ChainAccess, 'privateKey' | 'chainId'>,
) {
  const account = privateKeyToAccount(privateKey as Hex);
  const [gas, nonce, fees] = await Promise.all([
    node.estimateGas({ account: account.address, data: REGISTRY_BYTECODE }),
    node.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    node.estimateFeesPerGas({ chain: null }),
  ]);
  return account.signTransaction({ chainId, data: REGISTRY_BYTECODE, gas, nonce, type: 'eip1559', ...fees });
}
