import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';
import { userIdField } from './management-fields.js';
import { roleSchema } from './roles.js';

/** Schema of a user to add to an organisation. */
export const memberInputSchema = z
  .strictObject({ userId: userIdField, role: roleSchema.default('developer') })
  .meta({ id: 'MemberRequest' });

/** Schema of the new role of a member. */
export const memberPatchSchema = z.strictObject({ role: roleSchema }).meta({ id: 'MemberPatch' });

/** Schema of a member of an organisation. */
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

/** A parsed user to add. */
export type MemberInput = z.output<typeof memberInputSchema>;
/** A member of an organisation. */
export type Member = z.output<typeof memberSchema>;
/** A user to add, as a caller sends it. */
export type MemberRequest = z.input<typeof memberInputSchema>;
