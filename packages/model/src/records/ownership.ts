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

/** The evidence of a claim to own content. It is stored, not assessed. */
export const evidenceTypeSchema = z.enum([
  'self-declaration',
  'signed-content',
  'external-timestamp',
  'legal-document',
  'third-party-attestation',
]);

/** The reason of a transfer. */
export const transferTypeSchema = z.enum(['voluntary', 'authorized', 'adjudicated']);

/** Body of a claim to own content. */
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
 * Body of a transfer. The owner's registered key signs `proof`, over the action with the new owner as its only
 * output.
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

/** A claim or transfer as recorded: the action, and its attribution. */
export const ownershipEventSchema = z
  .object({ action: actionSchema, attribution: attributionSchema, receipt: receiptSchema.optional() })
  .meta({ id: 'OwnershipEvent' });

/**
 * The owner of a content: its first maker, until a transfer. Null when the origin is unknown. `history` has the
 * newest 1,000 claims and transfers, oldest first. `complete` is false when there were more.
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

/** A claim to own content, parsed. */
export type OwnershipClaimInput = z.output<typeof ownershipClaimInputSchema>;
/** A transfer, parsed. */
export type OwnershipTransferInput = z.output<typeof ownershipTransferInputSchema>;
/** A claim or transfer as recorded. */
export type OwnershipEvent = z.output<typeof ownershipEventSchema>;
/** The owner of a content. */
export type Ownership = z.output<typeof ownershipSchema>;
/** A claim to own content, as a caller writes it. */
export type OwnershipClaimRequest = z.input<typeof ownershipClaimInputSchema>;
/** A transfer, as a caller writes it. */
export type OwnershipTransferRequest = z.input<typeof ownershipTransferInputSchema>;
