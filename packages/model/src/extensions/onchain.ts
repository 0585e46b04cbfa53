import * as z from 'zod';
import { chainId, writtenInstant } from './extension-fields.js';

/** Key of the extension for the anchor of a record on a blockchain. Only the service sets it. */
export const ONCHAIN_EXTENSION = 'ext:onchain@1.0.0';

/**
 * `{chainId, blockNumber, transactionHash, chainName?, blockTimestamp?, logIndex?, contractAddress?, ...}`.
 *
 * `confirmations` is a number of blocks. Source: the ProvenanceKit extension set.
 */
export const onchainExtensionSchema = z
  .looseObject({
    chainId,
    chainName: z.string().optional(),
    blockNumber: z.int().nonnegative(),
    blockTimestamp: writtenInstant.optional(),
    transactionHash: z.string(),
    logIndex: z.int().nonnegative().optional(),
    contractAddress: z.string().optional(),
    confirmed: z.boolean().optional(),
    confirmations: z.int().nonnegative().optional(),
  })
  .meta({ id: 'OnchainExtension', description: 'The anchor of a record on a chain' });

/** The anchor of a record on a blockchain. */
export type OnchainExtension = z.infer<typeof onchainExtensionSchema>;
