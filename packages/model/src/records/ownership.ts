import * as z from 'zod';
import { receiptSchema } from '../log/receipt.js';
import { actionProofSchema } from '../proofs/proof.js';
import { sentProofSchema } from '../proofs/sent-proof.js';
import { actionSchema } from './action.js';
import { attributionSchema } from './attribution.js';
import { entityIdSchema, entitySchema } from './entity.js';
import { nameField, textField } from './json-fields.js';

const reference = nameField(2000);
const note = textField(2000).optional();

/** The service stores the evidence and does not check it. */
const evidenceTypeSchema = z.enum([
  'self-declaration',
  'signed-content',
  'external-timestamp',
  'legal-document',
  'third-party-attestation',
]);

const transferTypeSchema = z.enum(['voluntary', 'authorized', 'adjudicated']);

/** Schema of the body of a claim to own content. */
export const ownershipClaimInputSchema = z
  .strictObject({
    entityId: entityIdSchema.meta({ description: 'The claimant' }),
    evidenceType: evidenceTypeSchema,
    evidenceRef: reference.optional().meta({ description: 'Reference to the evidence' }),
    note,
    proof: sentProofSchema.optional(),
  })
  .meta({ id: 'OwnershipClaimRequest' });

/**
 * Schema of a transfer. `proof` is a signature by the owner's key over an action with the new owner as its only output.
 */
export const ownershipTransferInputSchema = z
  .strictObject({
    toEntityId: entityIdSchema.meta({ description: 'The new owner' }),
    transferType: transferTypeSchema,
    performedBy: entityIdSchema
      .optional()
      .meta({ description: 'The performer of the transfer; default: the owner' }),
    authorizationRef: reference.optional().meta({ description: 'Reference to the permission or decision' }),
    note,
    proof: actionProofSchema.optional().meta({
      description:
        'Signature of the owner’s key over type `ext:ownership:transfer@1.0.0`, the owner, inputs `[cid]`, outputs `[toEntityId]` and the timestamp; not required with an admin key or a key that is bound to the owner',
    }),
  })
  .meta({ id: 'OwnershipTransferRequest' });

/** Schema of a recorded claim or transfer: the action, and its attribution. */
export const ownershipEventSchema = z
  .object({ action: actionSchema, attribution: attributionSchema, receipt: receiptSchema.optional() })
  .meta({ id: 'OwnershipEvent' });

/**
 * Schema of the owner of a content. `registrant` is the entity that first made the content. It is null when the origin
 * is unknown. Until a transfer, `currentOwner` equals `registrant`. `history` has the newest claims and transfers,
 * oldest first: at most 1,000, and about 2 MiB. `complete` is false when there are more.
 */
export const ownershipSchema = z
  .object({
    cid: z.string(),
    registrant: entitySchema.nullable(),
    currentOwner: entitySchema.nullable(),
    neverTransferred: z.boolean(),
    lastTransfer: actionSchema.nullable(),
    history: z.array(actionSchema),
    complete: z.boolean(),
  })
  .meta({ id: 'Ownership' });

/** A parsed claim to own content. */
export type OwnershipClaimInput = z.output<typeof ownershipClaimInputSchema>;
/** A parsed transfer. */
export type OwnershipTransferInput = z.output<typeof ownershipTransferInputSchema>;
/** A recorded claim or transfer. */
export type OwnershipEvent = z.output<typeof ownershipEventSchema>;
/** The owner of a content. */
export type Ownership = z.output<typeof ownershipSchema>;
/** A claim to own content, as a caller sends it. */
export type OwnershipClaimRequest = z.input<typeof ownershipClaimInputSchema>;
/** A transfer, as a caller sends it. */
export type OwnershipTransferRequest = z.input<typeof ownershipTransferInputSchema>;
