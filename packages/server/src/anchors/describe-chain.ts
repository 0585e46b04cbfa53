import { assertChainMatchesConfig } from './assert-chain-matches-config.js';
import { ChainTrouble } from './chain.js';
import { openChain } from './open-chain.js';
import type { AnchoringSettings } from './start-anchoring.js';

export interface ChainDescription {
  isFit: boolean;
  says: string;
}

/** `isFit` means that the service can anchor. */
export async function describeChain({ access, registry }: AnchoringSettings): Promise<ChainDescription> {
  const chain = openChain(access, new AbortController().signal);
  try {
    await assertChainMatchesConfig(chain, registry);
    const balanceWei = await chain.readBalanceWei();
    const wallet = `wallet ${chain.account} with ${balanceWei} wei`;
    return balanceWei > 0n
      ? { isFit: true, says: `ok: ${registry.chainName}, registry ${registry.contractAddress}, ${wallet}` }
      : { isFit: false, says: `impaired: the ${wallet} cannot pay` };
  } catch (error) {
    if (error instanceof ChainTrouble) return { isFit: false, says: `impaired: ${error.message}` };
    throw error;
  }
}
