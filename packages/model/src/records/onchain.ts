import * as z from 'zod';
import { anchoredHeadsSchema, anchorPlace } from '../log/anchor.js';
import { logHashSchema } from '../log/log-fields.js';
import { logEntrySchema } from '../log/receipt.js';

/** The proof that leads from an action's digest to the root on the blockchain. */
const onchainProofSchema = z
  .object({
    root: logHashSchema,
    heads: anchoredHeadsSchema
      .optional()
      .meta({ description: 'Absent when the root is the action’s own digest' }),
    log: logEntrySchema.meta({
      description: 'Inclusion proof of the action in the tree whose head was anchored',
    }),
  })
  .meta({ id: 'OnchainProof' });

/** Schema of the anchor of an action on a blockchain. */
export const onchainSchema = z
  .object({
    ...anchorPlace,
    blockNumber: z
      .int()
      .nonnegative()
      .optional()
      .meta({ description: 'Present after the transaction is in a block' }),
    logIndex: z.int().nonnegative().optional().meta({ description: 'Index of the event in its block' }),
    status: z.enum(['submitted', 'confirmed', 'final']).meta({
      description:
        '`submitted`: the transaction is sent. `confirmed`: it is in a block. `final`: it has BLOCKCHAIN_CONFIRMATIONS confirmations',
    }),
    proof: onchainProofSchema
      .optional()
      .meta({ description: 'Only in GET /v1/action/{id}, after the transaction is in a block' }),
  })
  .meta({ id: 'Onchain' });

/** The anchor of an action on a blockchain. */
export type Onchain = z.output<typeof onchainSchema>;
