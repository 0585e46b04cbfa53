import * as z from 'zod';

/** Key of the extension of an action that corrects another action. */
export const CORRECTION_EXTENSION = 'ext:correction@1.0.0';

const correctionSchema = z.strictObject({ actionId: z.uuid() });

/**
 * Whether an extension contains only the id of the corrected action. Ids of actions are no withheld data.
 *
 * @example
 * isCorrectionAlone({ actionId: '0191c7a0-0000-7000-8000-000000000000' }); // => true
 */
export function isCorrectionAlone(extension: unknown): boolean {
  return correctionSchema.safeParse(extension).success;
}
