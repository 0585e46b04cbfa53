import * as z from 'zod';
import { lenientObject } from './lenient-fields.js';

/**
 * Label of our own assertion (C2PA 2.3 §6.2, entity-specific namespaces): a JSON assertion
 * `{version: 1, aiDisclosure, metadata}`. `aiDisclosure` is `ai_generated`, `ai_assisted` or null (made by people
 * alone); `metadata` is an object whose members `inputCid` and `actionId`, where present, are the content id of the
 * file before it was signed and the id of the recorded action.
 */
export const PROVENANCE_ASSERTION = 'org.colophon.provenance';

/** `ai_generated`, `ai_assisted`, or null: made by people alone. */
export const aiDisclosureSchema = z
  .enum(
    ['ai_generated', 'ai_assisted'],
    'Expected ai_generated, ai_assisted, or null for what people alone made',
  )
  .nullable()
  .meta({ description: 'Null: made by people alone' });

/** What is said of AI. */
export type AiDisclosure = z.output<typeof aiDisclosureSchema>;

/** Data of `org.colophon.provenance` in a file; a file of a later version is read as far as it is understood. */
export const provenanceAssertionSchema = z.object({
  aiDisclosure: aiDisclosureSchema.optional().catch(undefined),
  metadata: lenientObject,
});

/** Data of `org.colophon.provenance` in a file. */
export type ProvenanceAssertion = z.output<typeof provenanceAssertionSchema>;
