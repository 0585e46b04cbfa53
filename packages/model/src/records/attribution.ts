import { z } from 'zod';
import { extensionsField } from './extensions.js';
import { instantField, textField } from './json-fields.js';

const weightSchema = z
  .union([z.number().nonnegative(), z.string().regex(/^\d{1,64}(?:\.\d{1,64}|\/0*[1-9]\d{0,63})?$/)])
  .meta({ description: 'Contribution weight: a number, or a decimal or fraction as a string' });

/** What a caller may add to the attribution that a recording makes by itself. */
export const attributionDetailsSchema = z
  .strictObject({
    weight: weightSchema.optional(),
    note: textField(2000).optional(),
    extensions: extensionsField.optional(),
  })
  .meta({ id: 'AttributionDetails' });

/** An attribution as stored and shown: an entity, its role, and at least one target. */
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
    createdAt: instantField,
  })
  .meta({ id: 'Attribution' });

/** Additions to an attribution, parsed. */
export type AttributionDetails = z.output<typeof attributionDetailsSchema>;
/** An attribution as stored and shown. */
export type Attribution = z.output<typeof attributionSchema>;
