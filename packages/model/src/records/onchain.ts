import * as z from 'zod';
import { anchoredHeadsSchema, anchorPlace } from '../log/anchor.js';
import { logHashSchema } from '../log/log-fields.js';
import { logEntrySchema } from '../log/receipt.js';

/** How an action's digest leads to the root that the chain shows. */
export const onchainProofSchema = z
  .object({
    root: logHashSchema,
    heads: anchoredHeadsSchema
      .optional()
      .meta({ description: 'Absent when the root is the action’s own digest' }),
    log: logEntrySchema.meta({ description: 'The action in its log, as it was when its head was anchored' }),
  })
  .meta({ id: 'OnchainProof' });

/** Where an action is anchored on a chain. */
export const onchainSchema = z
  .object({
    ...anchorPlace,
    blockNumber: z.int().nonnegative().optional().meta({ description: 'Once it is in a block' }),
    logIndex: z.int().nonnegative().optional().meta({ description: 'Of the event in its block' }),
    status: z.enum(['submitted', 'confirmed', 'final']).meta({
      description: 'Sent; in a block; under as many blocks as BLOCKCHAIN_CONFIRMATIONS says',
    }),
    proof: onchainProofSchema
      .optional()
      .meta({ description: 'With GET /v1/action/{id}, once it is in a block' }),
  })
  .meta({ id: 'Onchain' });

/** Where an action is anchored on a chain. */
export type Onchain = z.output<typeof onchainSchema>;
