import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';
import { userIdField } from './management-fields.js';
import { roleSchema } from './roles.js';

/** A user to add to an organisation. */
export const memberInputSchema = z
  .strictObject({ userId: userIdField, role: roleSchema.default('developer') })
  .meta({ id: 'MemberRequest' });

/** A member's new role. */
export const memberPatchSchema = z.strictObject({ role: roleSchema }).meta({ id: 'MemberPatch' });

/** A member of an organisation. */
export const memberSchema = z
  .object({
    userId: z.string(),
    role: roleSchema,
    name: z.string().nullable(),
    email: z.string().nullable(),
    avatar: z.string().nullable(),
    createdAt: instantAnswer,
  })
  .meta({ id: 'Member' });

/** A user to add, parsed. */
export type MemberInput = z.output<typeof memberInputSchema>;
/** A member of an organisation. */
export type Member = z.output<typeof memberSchema>;
/** A user to add, as a caller sends it. */
export type MemberRequest = z.input<typeof memberInputSchema>;
