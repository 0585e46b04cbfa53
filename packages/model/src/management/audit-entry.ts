import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';

/** One change in the control plane: who did what to what, when and from where. Entries are never changed. */
export const auditEntrySchema = z
  .object({
    id: z.uuid(),
    at: instantAnswer,
    userId: z.string(),
    action: z.string().meta({ examples: ['api-key.revoke'] }),
    projectId: z.uuid().nullable(),
    target: z.string().meta({ description: 'Id of what was changed' }),
    details: z.record(z.string(), z.unknown()),
    address: z.string().nullable().meta({ description: 'Network address of the caller' }),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

/** One change in the control plane. */
export type AuditEntry = z.output<typeof auditEntrySchema>;
