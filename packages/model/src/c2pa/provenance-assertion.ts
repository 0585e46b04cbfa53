import * as z from 'zod';
import { lenientObject } from './lenient-fields.js';

/**
 * Label of the assertion that Colophon defines (C2PA 2.3 §6.2, entity-specific namespaces). Its JSON is `{version: 1,
 * aiDisclosure, metadata}`. `aiDisclosure` is `ai_generated`, `ai_assisted` or null (made by people alone). `metadata`
 * is an object. Its optional member `inputCid` is the content id of the file before signing, and `actionId` is the id
 * of the recorded action.
 */
export const PROVENANCE_ASSERTION = 'org.colophon.provenance';

/** `ai_generated`, `ai_assisted`, or null (made by people alone). */
export const aiDisclosureSchema = z
  .enum(['ai_generated', 'ai_assisted'], 'Expected ai_generated, ai_assisted, or null (made by people alone)')
  .nullable()
  .meta({ description: 'AI disclosure; null states that people alone made the content' });

/** The AI disclosure of content. */
export type AiDisclosure = z.output<typeof aiDisclosureSchema>;

/** Ignores members of later versions. */
export const provenanceAssertionSchema = z.object({
  aiDisclosure: aiDisclosureSchema.optional().catch(undefined),
  metadata: lenientObject,
});
