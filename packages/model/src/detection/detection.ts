import * as z from 'zod';
import { aiDisclosureSchema } from '../c2pa/provenance-assertion.js';
import { AI_LEVELS } from '../labels/ai-label.js';
import { MARK_LAYERS } from '../marks/mark-layer.js';
import { instantAnswer } from '../records/json-fields.js';

/**
 * The reasons why a layer was not checked or was checked only in part. `unsupported`: the service does not check files
 * of this type. `tooLarge`: the file is larger than the check allows. `tooLittle`: the file has too little content for
 * a comparison. `unreadable`: the file cannot be read, for example because it is damaged. `elsewhere`: the file names a
 * manifest at another place, which the service does not fetch. `noEngine`: the service has no C2PA engine.
 * `someProjects`: the search covered only some of the projects. `failed`: the check failed, and can succeed later.
 */
export const CHECK_CODES = [
  'unsupported',
  'tooLarge',
  'tooLittle',
  'unreadable',
  'elsewhere',
  'noEngine',
  'someProjects',
  'failed',
] as const;

const publicationSchema = z
  .object({
    id: z.string(),
    path: z.string().meta({ description: 'Path of the page at this service' }),
    title: z.string().nullable(),
    provable: z.boolean().meta({ description: 'Whether a reader can verify the history against the log' }),
  })
  .meta({ id: 'DetectedPublication' });

/**
 * Schema of a mark that the detector found. `confidence`: how certain it is that the statement is about this file and
 * comes from its maker.
 *
 * - `high`: a manifest of a trusted signer, or published content with exactly these bytes.
 * - `medium`: a valid manifest of another signer, a matching fingerprint, or a watermark that the log, the fingerprint
 *   or a trusted manifest confirms.
 * - `low`: an invalid manifest, a fingerprint that perhaps matches, or only a watermark.
 */
export const detectionLayerSchema = z
  .object({
    kind: z.enum(MARK_LAYERS),
    confidence: z.enum(['high', 'medium', 'low']),
    level: z.enum(AI_LEVELS).meta({
      description:
        'Level of AI in the manifest or in the published history. For the findings `source`, `similar` and `review` of a fingerprint, it is the level of the published content, not of the file, which can be its source',
    }),
    disclosure: aiDisclosureSchema.optional().meta({
      description:
        'The disclosure for `level`. Absent when the layer has no disclosure; null states that AI took no part',
    }),
    says: z.string().meta({ description: 'The finding in plain words; text, not HTML' }),
    code: z.string().optional().meta({
      description:
        'The finding as a stable code, such as `same-generated`: the state of the manifest or the relation to published content, and the statement about AI. Later versions can add codes. Absent in reports of earlier versions',
    }),
    state: z
      .enum(['invalid', 'valid', 'trusted'])
      .optional()
      .meta({ description: 'State of the manifest; for the layer `manifest`' }),
    signedBy: z.string().nullish(),
    signedAt: instantAnswer.nullish(),
    tool: z.string().nullish().meta({ description: 'The system that made the content' }),
    publication: publicationSchema
      .optional()
      .meta({ description: 'For the layers `fingerprint`, `log` and `watermark`' }),
    makers: z
      .array(z.object({ role: z.string(), name: z.string().optional() }))
      .optional()
      .meta({
        description:
          'Makers of the published content, as the publication shows them; at most 5. For a marked copy, the makers of its original, or the performer of the mark if no maker is recorded. A maker has no `name` if the publication withholds or hides it. Only with `publication`',
      }),
    furtherMakers: z.int().nonnegative().optional().meta({
      description:
        'Number of makers that `makers` leaves out; absent if there are none. Only with `publication`',
    }),
    recordedAt: instantAnswer.optional().meta({
      description: 'Time at which the service recorded the published content. Only with `publication`',
    }),
    meaning: z.string().optional().meta({
      description:
        'The meaning of `confidence` for this layer, in plain words; text, not HTML. Absent in reports of earlier versions',
    }),
  })
  .meta({ id: 'DetectionLayer' });

/** If `state` is `unavailable`, or if it is `checked` with a `code`, the file may still have a mark of this layer. */
const detectionCheckSchema = z
  .object({
    kind: z.enum(MARK_LAYERS),
    state: z.enum(['checked', 'unavailable']),
    reason: z.string().optional().meta({ description: 'The reason in plain words; text, not HTML' }),
    code: z
      .string()
      .optional()
      .meta({
        description: `The reason as a stable code: ${CHECK_CODES.map((code) => `\`${code}\``).join(', ')}. Later versions can add codes. Absent without a reason, and in reports of earlier versions`,
      }),
  })
  .meta({ id: 'DetectionCheck' });

/** The members in the report. */
const facts = {
  service: z.string().meta({ description: 'Host and path of the service' }),
  cid: z.string().meta({ description: 'Content id of the file' }),
  mimeType: z.string(),
  size: z.int().nonnegative(),
  detectedAt: instantAnswer,
  summary: z.string().meta({ description: 'The result in plain words' }),
  layers: z
    .array(detectionLayerSchema)
    .meta({ description: 'The marks that were found; most confident first' }),
  checks: z.array(detectionCheckSchema).meta({ description: 'One entry per layer: checked or unavailable' }),
};

export const detectionFactsSchema = z.object(facts).meta({ id: 'DetectionFacts' });

/** A DSSE envelope. `payload` and `sig` are base64. */
export const detectionReportSchema = z
  .object({
    payloadType: z.string(),
    payload: z.string(),
    signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })),
  })
  .meta({ id: 'DetectionReport', description: 'DSSE v1 envelope; `keyid` is the Ed25519 public key in hex' });

/** Schema of a detection. `report` is null when the service has no key. */
export const detectionSchema = z
  .object({ ...facts, report: detectionReportSchema.nullable() })
  .meta({ id: 'Detection' });

/** Schema of the state of the public detector. Its limits are null when the service has no detector. */
export const detectorStateSchema = z
  .object({
    isAvailable: z.boolean().meta({ description: 'Whether everybody can send files to the detector' }),
    maxBytes: z.int().positive().nullable().meta({ description: 'Maximum size of a file' }),
    requestsPerMinute: z.int().positive().nullable().meta({
      description: 'Maximum number of detections per minute for one network address',
    }),
  })
  .meta({ id: 'DetectorState' });

/** The state of the public detector. */
export type DetectorState = z.output<typeof detectorStateSchema>;
/** The reason why a layer was not checked or was checked only in part. */
export type CheckCode = (typeof CHECK_CODES)[number];
/** A mark that the detector found. */
export type DetectionLayer = z.output<typeof detectionLayerSchema>;
/** The check of a layer. */
export type DetectionCheck = z.output<typeof detectionCheckSchema>;
/** The facts in a detection report. */
export type DetectionFacts = z.output<typeof detectionFactsSchema>;
/** A signed detection report. */
export type DetectionReport = z.output<typeof detectionReportSchema>;
/** A detection. */
export type Detection = z.output<typeof detectionSchema>;
