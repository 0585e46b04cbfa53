import * as z from 'zod';
import { writtenInstant } from './extension-fields.js';

/** Key of the extension for the weight of an entity's contribution. */
export const CONTRIB_EXTENSION = 'ext:contrib@1.0.0';

/**
 * `{weight, basis?, source?, verifiedBy?, verifiedAt?, category?, note?}`, of an attribution.
 *
 * `weight` is at least 0. Its unit is `basis`: `points` (basis points, the default), `percentage` (0 to 100) or
 * `absolute` (any unit, since only ratios matter). `verifiedBy` is an entity id. Source: the ProvenanceKit
 * extension set.
 */
export const contribExtensionSchema = z
  .looseObject({
    weight: z.number().nonnegative(),
    basis: z.enum(['points', 'percentage', 'absolute']).optional(),
    source: z.enum(['self-declared', 'agreed', 'calculated', 'verified', 'default']).optional(),
    verifiedBy: z.string().optional(),
    verifiedAt: writtenInstant.optional(),
    category: z.string().optional(),
    note: z.string().optional(),
  })
  .meta({ id: 'ContribExtension', description: 'The weight of a contribution, and its source' });

/** The weight of a contribution, and its source. */
export type ContribExtension = z.infer<typeof contribExtensionSchema>;
