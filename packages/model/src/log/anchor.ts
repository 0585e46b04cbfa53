import * as z from 'zod';
import { logHashSchema, logPathSchema } from './log-fields.js';

const count = z.int().nonnegative();
const HASH_32 = /^0x[0-9a-f]{64}$/;

/** The proof that the root of an anchor or of a time-stamp covers the head of a log. */
export const anchoredHeadsSchema = z
  .strictObject({
    index: count.meta({ description: 'Index of the log’s head among the heads that the root covers' }),
    size: z.int().positive().meta({ description: 'Number of heads' }),
    path: logPathSchema.meta({ description: 'From the head to the root (RFC 9162 §2.1.3)' }),
  })
  .meta({ id: 'AnchoredHeads' });

export const anchorPlace = {
  chainId: z.int().positive(),
  chainName: z.string(),
  contractAddress: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  txHash: z.string().regex(HASH_32),
};

/**
 * The anchor of a record on a blockchain. With `heads`, the root covers the checkpoints of several logs, and the
 * checkpoint of the receipt is one of them. Without `heads`, the root is the record's own digest.
 */
export const anchorSchema = z
  .strictObject({
    root: logHashSchema,
    heads: anchoredHeadsSchema.optional(),
    ...anchorPlace,
    blockNumber: count,
    logIndex: count.meta({ description: 'Index of the event in its block' }),
  })
  .meta({ id: 'Anchor' });

/** The anchor of a record on a blockchain. */
export type Anchor = z.output<typeof anchorSchema>;
