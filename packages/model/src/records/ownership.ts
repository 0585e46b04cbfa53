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

/** What a claim to own content rests on. It is recorded, not judged. */
export const evidenceTypeSchema = z.enum([
  'self-declaration',
  'signed-content',
  'external-timestamp',
  'legal-document',
  'third-party-attestation',
]);

/** Why content passes to another. */
export const transferTypeSchema = z.enum(['voluntary', 'authorized', 'adjudicated']);

/** Body of a claim to own content. */
export const ownershipClaimInputSchema = z
  .strictObject({
    entityId: entityIdSchema.meta({ description: 'Who claims it' }),
    evidenceType: evidenceTypeSchema,
    evidenceRef: reference.optional().meta({ description: 'Where the evidence is' }),
    note,
    proof: sentProofSchema.optional(),
  })
  .meta({ id: 'OwnershipClaimRequest' });

/** Body of a transfer. `proof` is by the owner's registered key, over the action with the new owner as its one output. */
export const ownershipTransferInputSchema = z
  .strictObject({
    toEntityId: entityIdSchema.meta({ description: 'The new owner' }),
    transferType: transferTypeSchema,
    performedBy: entityIdSchema.optional().meta({ description: 'Who transfers it; the owner unless given' }),
    authorizationRef: reference.optional().meta({ description: 'Where it was allowed or decided' }),
    note,
    proof: actionProofSchema.optional().meta({
      description:
        'Signature of the owner’s key over type `ext:ownership:transfer@1.0.0`, the owner, inputs `[cid]`, outputs `[toEntityId]` and the timestamp; not needed with an admin key or one that is bound to the owner',
    }),
  })
  .meta({ id: 'OwnershipTransferRequest' });

/** A claim or transfer as recorded: the action, and the attribution that it makes. */
export const ownershipEventSchema = z
  .object({ action: actionSchema, attribution: attributionSchema, receipt: receiptSchema.optional() })
  .meta({ id: 'OwnershipEvent' });

/**
 * Who owns a content: whoever made it first, until it is transferred. Null where the origin is unknown. `history` has
 * the newest 1,000 claims and transfers, oldest first; `complete` is false when there were more.
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
/** Who owns a content. */
export type Ownership = z.output<typeof ownershipSchema>;
/** A claim to own content, as a caller writes it. */
export type OwnershipClaimRequest = z.input<typeof ownershipClaimInputSchema>;
/** A transfer, as a caller writes it. */
export type OwnershipTransferRequest = z.input<typeof ownershipTransferInputSchema>;
