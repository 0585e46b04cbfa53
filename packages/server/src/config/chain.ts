import { z } from 'zod';
import type { AnchoringSettings } from '../anchors/start-anchoring.js';
import { type Variables, variables } from './variables.js';

export type ChainConfig = AnchoringSettings;

const NEEDED = [
  'BLOCKCHAIN_RPC_URL',
  'BLOCKCHAIN_CHAIN_ID',
  'BLOCKCHAIN_PRIVATE_KEY',
  'BLOCKCHAIN_CONTRACT_ADDRESS',
] as const;

const POLL_SECONDS = 1;
/** This time is longer than the block time of EIP-1559 chains. */
const BUMP_SECONDS = 90;
const RESEND_SECONDS = 15;
const MAX_PAUSE_SECONDS = 30;
/** After this time, another node takes over from a node that ended and did not release its lease. */
const LEASE_SECONDS = 15;

export type DeployConfig = Omit<ChainConfig['access'], 'contractAddress'>;

/** Returns the settings of `colophon anchor deploy`. `problems` has a sentence for each missing or invalid variable. */
export function toDeployConfig(environment: NodeJS.ProcessEnv): {
  config: DeployConfig | undefined;
  problems: string[];
} {
  const parsed = z
    .object({
      BLOCKCHAIN_RPC_URL: variables.shape.BLOCKCHAIN_RPC_URL.unwrap(),
      BLOCKCHAIN_CHAIN_ID: variables.shape.BLOCKCHAIN_CHAIN_ID.unwrap(),
      BLOCKCHAIN_PRIVATE_KEY: variables.shape.BLOCKCHAIN_PRIVATE_KEY.unwrap(),
    })
    .safeParse(environment);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path: [name], message }) =>
      environment[String(name)] === undefined ? `${String(name)} must be set` : `${String(name)} ${message}`,
    );
    return { config: undefined, problems };
  }
  const { BLOCKCHAIN_RPC_URL: rpcUrl, BLOCKCHAIN_CHAIN_ID: chainId, BLOCKCHAIN_PRIVATE_KEY } = parsed.data;
  return { config: { rpcUrl, chainId, privateKey: BLOCKCHAIN_PRIVATE_KEY }, problems: [] };
}

/** Returns a sentence for each missing variable, and none if all of them are missing. */
export function findChainContradictions(given: Variables): string[] {
  const [present] = NEEDED.filter((name) => given[name] !== undefined);
  if (present === undefined) return [];
  return NEEDED.filter((name) => given[name] === undefined).map(
    (name) =>
      `${present} is set, so ${name} must be set too${name === 'BLOCKCHAIN_CONTRACT_ADDRESS' ? '. `colophon anchor deploy` creates a contract' : ''}`,
  );
}

export function toChain(read: Variables): ChainConfig | undefined {
  const {
    BLOCKCHAIN_RPC_URL: rpcUrl,
    BLOCKCHAIN_CHAIN_ID: chainId,
    BLOCKCHAIN_PRIVATE_KEY: privateKey,
    BLOCKCHAIN_CONTRACT_ADDRESS: contractAddress,
  } = read;
  if (rpcUrl === undefined || chainId === undefined) return undefined;
  if (privateKey === undefined || contractAddress === undefined) return undefined;
  const chainName = read.BLOCKCHAIN_CHAIN_NAME ?? `eip155:${chainId}`;
  return {
    access: { rpcUrl, chainId, contractAddress, privateKey },
    registry: { chainId, chainName, contractAddress: contractAddress.toLowerCase() },
    method: read.BLOCKCHAIN_ANCHOR,
    maxProjectWaits: read.MAX_PROJECT_WAITS,
    pace: {
      everySeconds: read.BLOCKCHAIN_ANCHOR_SECONDS,
      confirmations: read.BLOCKCHAIN_CONFIRMATIONS,
      pollSeconds: POLL_SECONDS,
      bumpSeconds: BUMP_SECONDS,
      resendSeconds: RESEND_SECONDS,
      maxPauseSeconds: MAX_PAUSE_SECONDS,
      leaseSeconds: LEASE_SECONDS,
    },
  };
}

export function unusedChainVariables(read: Variables, given: NodeJS.ProcessEnv): string[] {
  if (toChain(read) !== undefined) return [];
  return Object.keys(read).filter((name) => name.startsWith('BLOCKCHAIN_') && given[name] !== undefined);
}
