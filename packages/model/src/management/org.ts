import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';
import { slugField, titleField } from './management-fields.js';
import { roleSchema } from './roles.js';

/** A new organisation. */
export const orgInputSchema = z
  .strictObject({ name: titleField, slug: slugField(2).meta({ examples: ['daily-planet'] }) })
  .meta({ id: 'OrgRequest' });

/** Changes to an organisation. The slug cannot change. */
export const orgPatchSchema = z.strictObject({ name: titleField.optional() }).meta({ id: 'OrgPatch' });

/** An organisation as one of its members sees it. */
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

/** A new organisation, parsed. */
export type OrgInput = z.output<typeof orgInputSchema>;
/** Changes to an organisation, parsed. */
export type OrgPatch = z.output<typeof orgPatchSchema>;
/** An organisation as one of its members sees it. */
export type Org = z.output<typeof orgSchema>;
