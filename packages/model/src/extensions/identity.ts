import * as z from 'zod';
import { writtenInstant } from './extension-fields.js';

/** How an entity proved its identity; only the service asserts it. */
export const IDENTITY_EXTENSION = 'ext:identity@1.0.0';

/**
 * `{method, verifiedAt, registrationSignature?}`. Source: the published ProvenanceKit extension set.
 */
export const identityExtensionSchema = z
  .looseObject({
    method: z.enum(['key-ownership', 'did-auth', 'custom']),
    verifiedAt: writtenInstant,
    registrationSignature: z.string().optional(),
  })
  .meta({ id: 'IdentityExtension', description: 'How an entity proved its identity' });

/** How an entity proved its identity. */
export type IdentityExtension = z.infer<typeof identityExtensionSchema>;
