import * as z from 'zod';
import { receiptSchema } from '../log/receipt.js';
import { onchainSchema } from '../records/onchain.js';
import { aiDetectionSchema } from './ai-detection.js';
import { bundleDraftSchema } from './bundle-draft.js';
import { displaySchema } from './display.js';
import { manifestSchema } from './manifest.js';
import { validationSchema } from './validation.js';

/** `size` is in bytes. */
const fileFields = {
  cid: z.string().meta({ description: 'Content id of the file that the caller sent' }),
  mimeType: z.string().meta({ description: 'Media type that was detected from the bytes of the file' }),
  size: z.int().nonnegative(),
};

/** All members are null when the file has no manifest. */
const verdictFields = {
  aiDetection: aiDetectionSchema.nullable(),
  validation: validationSchema.nullable(),
  display: displaySchema.nullable().meta({ description: 'Texts for people, ready to show' }),
};

/**
 * Schema of the content of a file's manifest. If the file has no manifest, all members about the manifest are null. For
 * an invalid manifest, only `manifest` and `bundle` are null, and `unverifiedManifest` has its claims.
 */
export const mediaExtractionSchema = z
  .object({
    ...fileFields,
    manifest: manifestSchema.nullable(),
    ...verdictFields,
    bundle: bundleDraftSchema.nullable(),
    unverifiedManifest: manifestSchema.optional(),
    remoteManifestUrl: z
      .string()
      .optional()
      .meta({ description: 'Address of the manifest according to the file; the service does not fetch it' }),
  })
  .meta({ id: 'MediaExtraction' });

/** Schema of the result that states whether a file's manifest can be trusted. */
export const mediaVerificationSchema = z
  .object({ ...fileFields, hasManifest: z.boolean(), ...verdictFields })
  .meta({ id: 'MediaVerification' });

/** Schema of the result of an import: the ids of the records of a file's manifest. */
export const mediaImportSchema = z
  .object({
    ...fileFields,
    actionIds: z.array(z.string()),
    entityIds: z.array(z.string()),
    contentUrl: z.string(),
    validation: validationSchema,
    display: displaySchema,
    receipt: receiptSchema.optional().meta({ description: 'Receipt of the last action' }),
  })
  .meta({ id: 'MediaImport' });

/** Schema of a signed file and its records. */
export const mediaEmbeddingSchema = z
  .object({
    cid: z.string().meta({ description: 'Content id of the signed file' }),
    actionId: z.string(),
    entityId: z.string(),
    mimeType: z.string(),
    size: z.int().nonnegative(),
    contentUrl: z.string().meta({ description: 'Path of the signed file' }),
    inputCid: z.string().meta({ description: 'Content id of the file before signing' }),
    manifest: manifestSchema,
    validation: validationSchema,
    display: displaySchema,
    onchain: onchainSchema.optional(),
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'MediaEmbedding' });

/** Schema of the media formats that the service supports, and whether its C2PA engine is available. */
export const mediaFormatsSchema = z
  .object({
    available: z.boolean(),
    reason: z.string().optional().meta({ description: 'Reason why the engine is unavailable' }),
    maxBytes: z.int(),
    formats: z.array(
      z.object({
        name: z.string(),
        mediaType: z.string(),
        extensions: z.array(z.string()),
        read: z.boolean(),
        write: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'MediaFormats' });

/** The content of a file's manifest. */
export type MediaExtraction = z.output<typeof mediaExtractionSchema>;
/** The result that states whether a file's manifest can be trusted. */
export type MediaVerification = z.output<typeof mediaVerificationSchema>;
/** The result of an import: the ids of the records of a file's manifest. */
export type MediaImport = z.output<typeof mediaImportSchema>;
/** A signed file and its records. */
export type MediaEmbedding = z.output<typeof mediaEmbeddingSchema>;
/** The media formats in which the service can read and write manifests. */
export type MediaFormats = z.output<typeof mediaFormatsSchema>;
