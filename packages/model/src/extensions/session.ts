import * as z from 'zod';

/** The session that a record is of. */
export const SESSION_EXTENSION = 'ext:session@1.0.0';

/**
 * `{sessionId?, projectId?}`. It grants nothing: sessions and projects are read from the record's own fields and from
 * the API key, never from here. Source: the published ProvenanceKit extension set.
 */
export const sessionExtensionSchema = z
  .looseObject({ sessionId: z.string().optional(), projectId: z.string().optional() })
  .meta({ id: 'SessionExtension', description: 'The session that a record is of, as claimed' });

/** The session that a record is of, as claimed. */
export type SessionExtension = z.infer<typeof sessionExtensionSchema>;
