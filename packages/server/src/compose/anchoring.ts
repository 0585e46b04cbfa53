import type { Network } from '@colophon/model';
import type { Logger } from 'pino';
import type { AnchoringPace } from '../anchors/deps.js';
import type { Anchoring, AnchoringParts } from '../anchors/start-anchoring.js';
import type { Config } from '../config.js';
import type { Readiness } from '../http/app.js';

/** Loads the modules of anchoring only when a chain is configured. */
export async function openAnchoring(
  { chain }: Config,
  parts: Omit<AnchoringParts, 'report'> & { logger: Logger; pace: Partial<AnchoringPace> | undefined },
): Promise<Anchoring | undefined> {
  if (chain === undefined) return undefined;
  const { logger, pace, ...rest } = parts;
  const { startAnchoring } = await import('../anchors/start-anchoring.js');
  return startAnchoring(
    { ...chain, pace: { ...chain.pace, ...pace } },
    {
      ...rest,
      report({ trouble, error }) {
        if (error !== undefined) logger.error({ err: error }, trouble);
        else if (trouble !== undefined) logger.warn(`nothing is anchored for now: ${trouble}`);
        else logger.info('anchoring works again');
      },
    },
  );
}

/** The service works without anchoring, so problems count only as impaired. */
export function anchoringReadiness(anchoring: Anchoring | undefined): Readiness {
  if (anchoring === undefined) return {};
  return {
    async anchoring() {
      const word = await anchoring.readWord();
      return /^(ok|starting)$/.test(word) ? word : `impaired: ${word} New records wait for their anchors.`;
    },
  };
}

/** Chain ids of Goerli, Holesky, Hoodi, Sepolia, test networks of other chains, and local chains. */
const TEST_CHAINS: readonly number[] = [
  5, 17_000, 560_048, 11_155_111, 84_532, 421_614, 11_155_420, 80_002, 43_113, 97, 1_337, 31_337,
];

export function toNetwork({ chain }: Config): Network {
  if (chain === undefined) return { configured: false };
  const { registry } = chain;
  return {
    configured: true,
    ...registry,
    isTestnet: TEST_CHAINS.includes(registry.chainId),
    explorerUrl: null,
  };
}
