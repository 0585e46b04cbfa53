import * as z from 'zod';

/** Key of the extension for the authentication of a caller. Only the service sets it. */
export const AUTH_EXTENSION = 'ext:auth@1.0.0';

/** `{id, method, entityId?}`. Source: the ProvenanceKit extension set. */
export const authExtensionSchema = z
  .looseObject({ id: z.string(), method: z.string(), entityId: z.string().optional() })
  .meta({ id: 'AuthExtension', description: 'How a caller was authenticated' });

/** How a caller was authenticated. */
export type AuthExtension = z.infer<typeof authExtensionSchema>;
