import * as z from 'zod';

/** Key of the extension for a claim to own content. */
export const OWNERSHIP_CLAIM_EXTENSION = 'ext:ownership:claim@1.0.0';

/**
 * `{targetRef, evidenceType, evidenceRef?, note?}`; `targetRef` is a reference to the content.
 *
 * The service stores the evidence and does not check it. Source: the ProvenanceKit extension set.
 */
export const ownershipClaimExtensionSchema = z
  .looseObject({
    targetRef: z.string(),
    evidenceType: z.enum([
      'self-declaration',
      'signed-content',
      'external-timestamp',
      'legal-document',
      'third-party-attestation',
    ]),
    evidenceRef: z.string().optional(),
    note: z.string().optional(),
  })
  .meta({ id: 'OwnershipClaimExtension', description: 'A claim to own content, and its evidence' });

/** A claim to own content, with its evidence. */
export type OwnershipClaimExtension = z.infer<typeof ownershipClaimExtensionSchema>;
