import { bytesToHex } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { fromBase64 } from '../base64.js';
import type { Anchor } from './anchor.js';

/** The codes of a failed verification of an anchor, with their meanings. */
export const ANCHOR_FAULTS = {
  otherChain:
    'The node and the anchor belong to different blockchains; use a node of the chain in `chainId`.',
  unknownTransaction: 'The node does not know the transaction, or no block contains it yet.',
  failedTransaction: 'The transaction failed.',
  otherBlock: 'The block of the transaction is not part of the chain.',
  otherRoot: 'The transaction did not anchor this root with this contract.',
} as const;

/** A code of a failed verification. */
export type AnchorFault = keyof typeof ANCHOR_FAULTS;

/** The result of a verification. `time` is the time of the block: the root existed at that time. */
export type AnchorReport =
  | {
      verified: true;
      blockNumber: number;
      time: string;
      /** Number of blocks from the block of the transaction to the newest block, both included. */
      confirmations: number;
      /** The address on the chain that sent the transaction, in lower case. */
      by: string;
    }
  | { verified: false; code: AnchorFault };

/** Calls a method of a blockchain node (JSON-RPC, EIP-1474). Resolves to `result` of the response. */
export type AskChain = (method: string, parameters: readonly unknown[]) => Promise<unknown>;

/** Keccak-256 of `RootAnchored(bytes32,address,uint64)`, the event of an anchor with `heads`. */
export const ROOT_ANCHORED = '0xdb96f57960f1a8d2f2350bb63e1e1664fc0c2d57304af37731bb95cf619e26cd';
/** Keccak-256 of `DigestAnchored(bytes32,address)`, the event of an anchor without `heads`. */
export const DIGEST_ANCHORED = '0xefe9cbdcc498cca929a44b91e65ae414e09ca71db5dff3130c4a5c8ca5cf67d2';

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/)
  .transform(Number);
const transactionSchema = z
  .object({
    status: quantity,
    from: z.string(),
    blockHash: z.string(),
    blockNumber: quantity,
    logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
  })
  .nullable();
const blockSchema = z.object({ hash: z.string(), timestamp: quantity }).nullable();

/**
 * Checks the anchor of a receipt against the blockchain. Verify the receipt with `verifyReceipt` first. The promise
 * rejects when a call of `askChain` fails or returns a value of an unexpected form.
 *
 * The contract address comes from the anchor, and any contract is acceptable: when a block contains the root, the root
 * existed at the time of the block. A reorganization of the chain can replace a recent block, so the caller must decide
 * how many `confirmations` are enough.
 *
 * @example
 * const anchor = { chainId: 1, root: '', chainName: '', contractAddress: '', txHash: '', blockNumber: 0, logIndex: 0 };
 * await verifyAnchor(anchor, async () => '0x2'); // => { verified: false, code: 'otherChain' }
 */
export async function verifyAnchor(anchor: Anchor, askChain: AskChain): Promise<AnchorReport> {
  const chainId = quantity.parse(await askChain('eth_chainId', []));
  if (chainId !== anchor.chainId) return refused('otherChain');
  const found = transactionSchema.parse(await askChain('eth_getTransactionReceipt', [anchor.txHash]));
  if (found === null) return refused('unknownTransaction');
  if (found.status !== 1) return refused('failedTransaction');
  const numberHex = `0x${found.blockNumber.toString(16)}`;
  const block = blockSchema.parse(await askChain('eth_getBlockByNumber', [numberHex, false]));
  if (block === null || block.hash !== found.blockHash) return refused('otherBlock');
  if (!found.logs.some((log) => isEventOf(anchor, log))) return refused('otherRoot');
  const height = quantity.parse(await askChain('eth_blockNumber', []));
  return {
    verified: true,
    blockNumber: found.blockNumber,
    time: new Date(block.timestamp * 1000).toISOString(),
    confirmations: Math.max(1, height - found.blockNumber + 1),
    by: found.from.toLowerCase(),
  };
}

function isEventOf(
  { contractAddress, root, heads }: Anchor,
  { address, topics, data }: { address: string; topics: string[]; data: string },
): boolean {
  const rootHex = `0x${bytesToHex(fromBase64(root) ?? new Uint8Array())}`;
  const event = heads === undefined ? DIGEST_ANCHORED : ROOT_ANCHORED;
  const said = heads === undefined ? '0x' : `0x${heads.size.toString(16).padStart(64, '0')}`;
  return (
    address.toLowerCase() === contractAddress.toLowerCase() &&
    topics[0] === event &&
    topics[1] === rootHex &&
    data === said
  );
}

function refused(code: AnchorFault): AnchorReport {
  return { verified: false, code };
}
