import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';

/**
 * Schema of one change in the control plane, with its actor, target, time and network address. A stored entry never
 * changes.
 */
export const auditEntrySchema = z
  .object({
    id: z.uuid(),
    at: instantAnswer,
    userId: z.string(),
    action: z.string().meta({ examples: ['api-key.revoke'] }),
    projectId: z.uuid().nullable(),
    target: z.string().meta({ description: 'Id of the changed object' }),
    details: z.record(z.string(), z.unknown()),
    address: z.string().nullable().meta({ description: 'Network address of the caller' }),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

/** An entry of the audit log: one change in the control plane. */
export type AuditEntry = z.output<typeof auditEntrySchema>;
