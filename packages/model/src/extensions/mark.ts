import * as z from 'zod';
import { aiDisclosureSchema } from '../c2pa/provenance-assertion.js';

/**
 * Key of the extension for the AI disclosure of an action. The service sets it on each action that marks a content. A
 * client can set it on a recording, for example to state that people alone made a content.
 */
export const MARK_EXTENSION = 'ext:mark@1.0.0';

/**
 * `{aiDisclosure, generator}` of the action that marked a content. The extension puts the disclosure into the log, also
 * for formats without a manifest. `generator` is the tool that made the content.
 */
export const markExtensionSchema = z
  .looseObject({
    aiDisclosure: aiDisclosureSchema,
    generator: z.looseObject({ name: z.string().min(1), version: z.string().optional() }),
  })
  .meta({ id: 'MarkExtension', description: 'The AI disclosure of the outputs of an action' });

/**
 * The statement of a person that no AI was used. The extension needs the name of a tool, so the name is `unknown`. The
 * compliance report does not count this statement as a mark.
 */
export const WITHOUT_AI = {
  aiDisclosure: null,
  generator: { name: 'unknown' },
} as const satisfies MarkExtension;

/** The AI disclosure of an action. */
export type MarkExtension = z.infer<typeof markExtensionSchema>;
