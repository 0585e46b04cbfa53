import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';
import { slugField, titleField } from './management-fields.js';
import { roleSchema } from './roles.js';

/** Schema of a new organisation. */
export const orgInputSchema = z
  .strictObject({ name: titleField, slug: slugField(2).meta({ examples: ['daily-planet'] }) })
  .meta({ id: 'OrgRequest' });

/** Schema of changes to an organisation. The slug cannot change. */
export const orgPatchSchema = z.strictObject({ name: titleField.optional() }).meta({ id: 'OrgPatch' });

/** Schema of an organisation, with the role of the user who reads it. */
export const orgSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    plan: z.string(),
    ownerId: z.string().meta({ description: 'The earliest of the current owners' }),
    role: roleSchema.meta({ description: 'Role of the signed-in user' }),
    createdAt: instantAnswer,
    updatedAt: instantAnswer,
  })
  .meta({ id: 'Org' });

/** A parsed new organisation. */
export type OrgInput = z.output<typeof orgInputSchema>;
/** Parsed changes to an organisation. */
export type OrgPatch = z.output<typeof orgPatchSchema>;
/** An organisation, with the role of the user who reads it. */
export type Org = z.output<typeof orgSchema>;
