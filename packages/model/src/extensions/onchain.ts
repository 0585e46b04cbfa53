import * as z from 'zod';
import { chainId, writtenInstant } from './extension-fields.js';

/** The anchor of a record on a chain; only the service asserts it. */
export const ONCHAIN_EXTENSION = 'ext:onchain@1.0.0';

/**
 * `{chainId, blockNumber, transactionHash, chainName?, blockTimestamp?, logIndex?, contractAddress?, ...}`.
 *
 * `confirmations` is in blocks. Source: the published ProvenanceKit extension set.
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

/** The anchor of a record on a chain. */
export type OnchainExtension = z.infer<typeof onchainExtensionSchema>;
