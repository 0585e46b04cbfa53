import * as z from 'zod';

/** How a caller was authenticated; only the service asserts it. */
export const AUTH_EXTENSION = 'ext:auth@1.0.0';

/**
 * `{id, method, entityId?}`. Source: the published ProvenanceKit extension set.
 */
export const authExtensionSchema = z
  .looseObject({ id: z.string(), method: z.string(), entityId: z.string().optional() })
  .meta({ id: 'AuthExtension', description: 'How a caller was authenticated' });

/** How a caller was authenticated. */
export type AuthExtension = z.infer<typeof authExtensionSchema>;
