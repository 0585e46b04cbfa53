import * as z from 'zod';

/** Key of the extension for the session of a record. */
export const SESSION_EXTENSION = 'ext:session@1.0.0';

/**
 * `{sessionId?, projectId?}`. The extension grants no access: the service takes the session from the record's own
 * fields and the project from the API key. Source: the ProvenanceKit extension set.
 */
export const sessionExtensionSchema = z
  .looseObject({ sessionId: z.string().optional(), projectId: z.string().optional() })
  .meta({ id: 'SessionExtension', description: 'The session of a record, as claimed' });

/** The session of a record, as the caller claims it. */
export type SessionExtension = z.infer<typeof sessionExtensionSchema>;
