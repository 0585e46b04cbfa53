import * as z from 'zod';
import { receiptSchema } from '../log/receipt.js';
import { onchainSchema } from '../records/onchain.js';
import { aiDetectionSchema } from './ai-detection.js';
import { bundleDraftSchema } from './bundle-draft.js';
import { displaySchema } from './display.js';
import { manifestSchema } from './manifest.js';
import { validationSchema } from './validation.js';

/** The file that an answer is about. `size` in bytes. */
const fileFields = {
  cid: z.string().meta({ description: 'Content id of the file as it was sent' }),
  mimeType: z.string().meta({ description: 'Told from its bytes' }),
  size: z.int().nonnegative(),
};

/** What is said of a manifest that is there, and null of one that is not. */
const verdictFields = {
  aiDetection: aiDetectionSchema.nullable(),
  validation: validationSchema.nullable(),
  display: displaySchema.nullable().meta({ description: 'For people, to be shown as it is' }),
};

/**
 * What a file's manifest says. All null without a manifest; `manifest` and `bundle` are null too where it is not
 * valid, and what it claims is under `unverifiedManifest`.
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
      .meta({ description: 'Where the file says that its manifest is; nothing was fetched' }),
  })
  .meta({ id: 'MediaExtraction' });

/** Whether a file's manifest can be believed. */
export const mediaVerificationSchema = z
  .object({ ...fileFields, hasManifest: z.boolean(), ...verdictFields })
  .meta({ id: 'MediaVerification' });

/** What was recorded of a file's manifest. */
export const mediaImportSchema = z
  .object({
    ...fileFields,
    actionIds: z.array(z.string()),
    entityIds: z.array(z.string()),
    contentUrl: z.string(),
    validation: validationSchema,
    display: displaySchema,
    receipt: receiptSchema.optional().meta({ description: 'Of the last action' }),
  })
  .meta({ id: 'MediaImport' });

/** A signed file and what was recorded of it. */
export const mediaEmbeddingSchema = z
  .object({
    cid: z.string().meta({ description: 'Content id of the signed file' }),
    actionId: z.string(),
    entityId: z.string(),
    mimeType: z.string(),
    size: z.int().nonnegative(),
    contentUrl: z.string().meta({ description: 'Where the signed file is' }),
    inputCid: z.string().meta({ description: 'Content id of the file before' }),
    manifest: manifestSchema,
    validation: validationSchema,
    display: displaySchema,
    onchain: onchainSchema.optional(),
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'MediaEmbedding' });

/** The formats of media that manifests are read from and written to, and whether the engine is there. */
export const mediaFormatsSchema = z
  .object({
    available: z.boolean(),
    reason: z.string().optional().meta({ description: 'Why the engine is not there' }),
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

/** What a file's manifest says. */
export type MediaExtraction = z.output<typeof mediaExtractionSchema>;
/** Whether a file's manifest can be believed. */
export type MediaVerification = z.output<typeof mediaVerificationSchema>;
/** What was recorded of a file's manifest. */
export type MediaImport = z.output<typeof mediaImportSchema>;
/** A signed file and what was recorded of it. */
export type MediaEmbedding = z.output<typeof mediaEmbeddingSchema>;
/** The formats of media. */
export type MediaFormats = z.output<typeof mediaFormatsSchema>;
