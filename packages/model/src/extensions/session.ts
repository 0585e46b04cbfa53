import * as z from 'zod';

/** The session of a record. */
export const SESSION_EXTENSION = 'ext:session@1.0.0';

/**
 * `{sessionId?, projectId?}`. It grants nothing: the service takes the session from the record's own fields and the
 * project from the API key. Source: the published ProvenanceKit extension set.
 */
export const sessionExtensionSchema = z
  .looseObject({ sessionId: z.string().optional(), projectId: z.string().optional() })
  .meta({ id: 'SessionExtension', description: 'The session of a record, as claimed' });

/** The session of a record, as claimed. */
export type SessionExtension = z.infer<typeof sessionExtensionSchema>;
