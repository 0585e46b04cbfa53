import * as z from 'zod';
import { embedInputSchema } from '../c2pa/embed-request.js';

/** Schema of the form part `json` of a mark. */
export const markInputSchema = embedInputSchema
  .safeExtend({
    watermark: z.boolean().optional().meta({
      description:
        'Whether the picture, sound or video gets a watermark. A watermark changes pixels or samples a little, and a video is encoded again. Default: false if `aiDisclosure` is null, otherwise true',
    }),
  })
  .meta({ id: 'MarkRequest' });

/** The parsed form part `json` of a mark. */
export type MarkInput = z.output<typeof markInputSchema>;
/** The form part `json` of a mark, as a caller sends it. */
export type MarkRequest = z.input<typeof markInputSchema>;
