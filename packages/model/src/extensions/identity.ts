import * as z from 'zod';
import { writtenInstant } from './extension-fields.js';

/** Key of the extension for an entity's proof of identity. Only the service sets it. */
export const IDENTITY_EXTENSION = 'ext:identity@1.0.0';

/** `{method, verifiedAt, registrationSignature?}`. Source: the ProvenanceKit extension set. */
export const identityExtensionSchema = z
  .looseObject({
    method: z.enum(['key-ownership', 'did-auth', 'custom']),
    verifiedAt: writtenInstant,
    registrationSignature: z.string().optional(),
  })
  .meta({ id: 'IdentityExtension', description: 'How an entity proved its identity' });

/** The method and time of an entity's proof of identity. */
export type IdentityExtension = z.infer<typeof identityExtensionSchema>;
