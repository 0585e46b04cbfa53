import * as z from 'zod';
import { contentIdSchema } from '../content-id-schema.js';
import { entityIdSchema } from './entity.js';
import { erasureSchema } from './erasure.js';
import { smallExtensionsField } from './extensions.js';
import { instantAnswer, textField, uuidField, wordField } from './json-fields.js';

const EXPECTED_WEIGHT = 'Expected a number of at least 0, or a decimal or fraction as text, such as "1/3"';

/** A number of at least 0, or a decimal or fraction as text. */
export const weightSchema = z
  .union(
    [
      z.number().nonnegative(),
      z.string().regex(/^\d{1,64}(?:\.\d{1,64}|\/0*[1-9]\d{0,63})?$/, EXPECTED_WEIGHT),
    ],
    EXPECTED_WEIGHT,
  )
  .meta({ description: 'Contribution weight: a number, or a decimal or fraction as a string' });

/** Schema of the members that a caller can add to the attribution that a recording creates automatically. */
export const attributionDetailsSchema = z
  .strictObject({
    weight: weightSchema.optional(),
    note: textField(2000).optional(),
    extensions: smallExtensionsField.optional(),
  })
  .meta({ id: 'AttributionDetails' });

/** Schema of a role: `creator`, `contributor`, `source`, or a custom role `ext:<ns>[@<semver>]`. */
export const attributionRoleSchema = wordField(['creator', 'contributor', 'source'], {
  own: /^ext:[a-zA-Z]\w*(?::\w+)*(?:@\d+\.\d+\.\d+)?$/,
  ownForm: 'ext:<ns>[@<semver>]',
});

/** Schema of the body of an attribution: an entity, its role, and an action, a content, or both. */
export const attributionInputSchema = attributionDetailsSchema
  .extend({
    entityId: entityIdSchema,
    actionId: uuidField.optional(),
    resourceCid: contentIdSchema.optional(),
    role: attributionRoleSchema,
  })
  .refine(({ actionId, resourceCid }) => actionId !== undefined || resourceCid !== undefined, {
    path: ['actionId'],
    message: 'Send `actionId`, `resourceCid`, or both',
  })
  .meta({ id: 'AttributionRequest' });

/** Schema of an attribution as the service stores and returns it: an entity, its role, and at least one target. */
export const attributionSchema = z
  .object({
    id: z.string(),
    entityId: z.string(),
    actionId: z.string().optional(),
    resourceCid: z.string().optional(),
    role: z.string(),
    weight: weightSchema.optional(),
    note: z.string().optional(),
    extensions: z.record(z.string(), z.unknown()).optional(),
    createdAt: instantAnswer,
    erasure: erasureSchema.optional(),
  })
  .meta({ id: 'Attribution' });

/** Parsed members that a caller adds to an automatic attribution. */
export type AttributionDetails = z.output<typeof attributionDetailsSchema>;
/** A parsed attribution. */
export type AttributionInput = z.output<typeof attributionInputSchema>;
/** The role of an entity in an attribution, such as `creator`. */
export type AttributionRole = z.output<typeof attributionRoleSchema>;
/** An attribution as the service stores and returns it. */
export type Attribution = z.output<typeof attributionSchema>;
/** An attribution, as a caller sends it. */
export type AttributionRequest = z.input<typeof attributionInputSchema>;
