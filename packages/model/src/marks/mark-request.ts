import * as z from 'zod';
import { embedInputSchema } from '../c2pa/embed-request.js';

/** Schema of the form part `json` of a mark. */
export const markInputSchema = embedInputSchema
  .safeExtend({
    watermark: z.boolean().optional().meta({
      description:
        'Whether the marked picture, sound or video gets a watermark, which changes its pixels or samples a little and encodes a video again. Default: true, and false when `aiDisclosure` is null',
    }),
  })
  .meta({ id: 'MarkRequest' });

/** The parsed form part `json` of a mark. */
export type MarkInput = z.output<typeof markInputSchema>;
/** The form part `json` of a mark, as a caller sends it. */
export type MarkRequest = z.input<typeof markInputSchema>;
