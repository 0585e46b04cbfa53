import * as z from 'zod';

/** A claim to own content. */
export const OWNERSHIP_CLAIM_EXTENSION = 'ext:ownership:claim@1.0.0';

/**
 * `{targetRef, evidenceType, evidenceRef?, note?}`; `targetRef` names the content.
 *
 * The evidence is stored, not assessed. Source: the published ProvenanceKit extension set.
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

/** A claim to own content, and its evidence. */
export type OwnershipClaimExtension = z.infer<typeof ownershipClaimExtensionSchema>;
