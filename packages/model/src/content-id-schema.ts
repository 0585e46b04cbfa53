import * as z from 'zod';
import { MAX_CONTENT_ID_LENGTH, parseContentId } from './content-id.js';

const EXPECTED = 'Expected a CID (v0 or v1) or sha256:<64 hex digits>';

/** Schema of a content id. It accepts any text that `parseContentId` accepts, and returns the canonical CID. */
export const contentIdSchema = z
  .string()
  .max(MAX_CONTENT_ID_LENGTH, EXPECTED)
  .meta({
    description: 'Content id: a CID (v0, or v1 in any multibase) or sha256:<64 hex digits>',
    examples: ['bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
  })
  .transform((text, context) => {
    const contentId = parseContentId(text);
    if (contentId !== undefined) return contentId;
    context.addIssue({ code: 'custom', message: EXPECTED, input: text });
    return z.NEVER;
  });
