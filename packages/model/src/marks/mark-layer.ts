import * as z from 'zod';
import { mediaEmbeddingSchema } from '../c2pa/media-answers.js';

/** The layers that `POST /v1/mark` can add to a content. */
export const MARK_LAYERS = ['manifest', 'fingerprint', 'log', 'watermark'] as const;

/**
 * Schema of a layer in the response of `POST /v1/mark`. `added`: the layer exists. `pending`: the service adds it in
 * the background. `unavailable`: the content does not get this layer, and `reason` states why.
 */
export const markLayerSchema = z
  .object({
    kind: z.enum(MARK_LAYERS),
    state: z.enum(['added', 'pending', 'unavailable']),
    reason: z.string().optional().meta({ description: 'Why the layer is pending or unavailable' }),
    method: z
      .string()
      .optional()
      .meta({
        description:
          'Method of the layer: `c2pa`, the method of the fingerprint, `rfc6962`, `image-mark/1`, `sound-mark/1`, or the soft binding algorithm of the model of WATERMARK_MODEL_DIR',
        examples: ['image-512/1'],
      }),
    receiptUrl: z.string().optional().meta({ description: 'Path of the receipt; for the layer `log`' }),
  })
  .meta({ id: 'MarkLayer' });

const { manifest, validation, display, ...recorded } = mediaEmbeddingSchema.shape;

/**
 * Schema of the response of `POST /v1/mark`: a marked copy, its records and its layers. For a format without manifests,
 * the service records the content itself, and `manifest`, `validation` and `display` are null.
 */
export const markSchema = z
  .object({
    ...recorded,
    layers: z.array(markLayerSchema).meta({ description: 'Every layer, in a fixed order' }),
    manifest: manifest.nullable(),
    validation: validation.nullable(),
    display: display.nullable(),
  })
  .meta({ id: 'Mark' });

/** A layer of a mark, with its state. */
export type MarkLayer = z.output<typeof markLayerSchema>;
/** A marked copy, its records and its layers. */
export type Mark = z.output<typeof markSchema>;
