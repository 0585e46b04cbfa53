import * as z from 'zod';

/** Key of the extension for a transfer of content from one owner to another. */
export const OWNERSHIP_TRANSFER_EXTENSION = 'ext:ownership:transfer@1.0.0';

/**
 * `{targetRef, fromEntityId, toEntityId, transferType, authorizationRef?, note?}`; `targetRef` is a reference to the
 * content. Source: the ProvenanceKit extension set.
 */
export const ownershipTransferExtensionSchema = z
  .looseObject({
    targetRef: z.string(),
    fromEntityId: z.string(),
    toEntityId: z.string(),
    transferType: z.enum(['voluntary', 'authorized', 'adjudicated']),
    authorizationRef: z.string().optional(),
    note: z.string().optional(),
  })
  .meta({ id: 'OwnershipTransferExtension', description: 'A transfer of content from one owner to another' });

/** A transfer of content from one owner to another. */
export type OwnershipTransferExtension = z.infer<typeof ownershipTransferExtensionSchema>;
