import type { Registry } from './anchors.sql.js';
import { type Chain, ChainTrouble } from './chain.js';

export async function assertChainMatchesConfig(chain: Chain, registry: Registry): Promise<void> {
  const chainId = await chain.readChainId();
  if (chainId !== registry.chainId) {
    throw new ChainTrouble(
      'wrongChain',
      `The RPC serves chain ${chainId}, but BLOCKCHAIN_CHAIN_ID says ${registry.chainId}.`,
    );
  }
  if (await chain.hasContract()) return;
  throw new ChainTrouble(
    'noContract',
    `There is no contract at BLOCKCHAIN_CONTRACT_ADDRESS (${registry.contractAddress}); ` +
      '`colophon anchor deploy` creates one.',
  );
}
