import * as z from 'zod';
import { aiDisclosureSchema } from '../c2pa/provenance-assertion.js';
import { isContentId, MAX_CONTENT_ID_LENGTH, parseContentId } from '../content-id.js';

/**
 * Key of the extension for the AI disclosure of an action. The service sets it on each action that marks a content. A
 * client can set it on a recording, for example to state that people alone made a content.
 */
export const MARK_EXTENSION = 'ext:mark@1.0.0';

const markedCidSchema = z
  .string()
  .max(MAX_CONTENT_ID_LENGTH)
  .refine(isContentId, 'Expected a CID (v0 or v1) or sha256:<64 hex digits>');

/**
 * `{aiDisclosure, generator, markedCid?}` of the action that marked a content. The extension puts the disclosure into
 * the log, also for formats without a manifest. `generator` is the tool that made the content. `markedCid` is the
 * original, if the action made a marked copy.
 */
export const markExtensionSchema = z
  .looseObject({
    aiDisclosure: aiDisclosureSchema,
    generator: z.looseObject({ name: z.string().min(1), version: z.string().optional() }),
    markedCid: markedCidSchema.optional().meta({
      description:
        'The original, if the action made a marked copy: an input of the action. The service sets it. Absent if the file was recorded unchanged, and in actions of earlier versions',
    }),
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

/** The members of an action that decide whether the action made a marked copy. */
export interface MarkingAction {
  inputCids: readonly string[];
  outputCids: readonly string[];
  extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Returns the original, if an action made a marked copy; undefined for any other action. The action must state the use
 * of AI in `ext:mark@1.0.0`, must name one of its inputs there as `markedCid`, and must have exactly one output, which
 * is not this input. `canonical` maps the identifiers of a content to its canonical CID.
 *
 * @example
 * const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'photo' };
 * const action = { inputCids: ['photo'], outputCids: ['copy'], extensions: { 'ext:mark@1.0.0': mark } };
 * markedInput(action); // => 'photo'
 */
export function markedInput(
  { inputCids, outputCids, extensions }: MarkingAction,
  canonical: (cid: string) => string = (cid) => cid,
): string | undefined {
  if (!extensions || !Object.hasOwn(extensions, MARK_EXTENSION)) return undefined;
  const mark = extensions[MARK_EXTENSION] as { aiDisclosure?: unknown; markedCid?: unknown } | null;
  if (typeof mark?.aiDisclosure !== 'string' || typeof mark.markedCid !== 'string') return undefined;
  // Extensions are stored unchanged, so a client can write the id in any form.
  const names = [mark.markedCid, parseContentId(mark.markedCid) ?? mark.markedCid].map(canonical);
  const inputs = new Set(inputCids.map(canonical));
  const outputs = new Set(outputCids.map(canonical));
  return outputs.size === 1 ? names.find((cid) => inputs.has(cid) && !outputs.has(cid)) : undefined;
}
