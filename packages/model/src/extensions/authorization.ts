import * as z from 'zod';
import { writtenInstant } from './extension-fields.js';

/** Key of the extension for the authorization of a use of content. */
export const AUTHORIZATION_EXTENSION = 'ext:authorization@1.0.0';

/**
 * `{status, authorizedBy?, authorizedAt?, expiresAt?, reference?, scope?, proof?}`.
 *
 * `authorizedBy` is an entity id. An authorization without `expiresAt` does not expire. Source: the
 * ProvenanceKit extension set.
 */
export const authorizationExtensionSchema = z
  .looseObject({
    status: z.enum(['authorized', 'unauthorized', 'pending', 'revoked']),
    authorizedBy: z.string().optional(),
    authorizedAt: writtenInstant.optional(),
    expiresAt: writtenInstant.optional(),
    reference: z.string().optional(),
    scope: z.string().optional(),
    proof: z.string().optional(),
  })
  .meta({ id: 'AuthorizationExtension', description: 'Whether a use was authorized, and by whom' });

/** The authorization of a use of content, with its status and issuer. */
export type AuthorizationExtension = z.infer<typeof authorizationExtensionSchema>;
