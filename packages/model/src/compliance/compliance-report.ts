import * as z from 'zod';
import { aiDisclosureSchema } from '../c2pa/provenance-assertion.js';
import { detectionLayerSchema } from '../detection/detection.js';
import { AI_LEVELS } from '../labels/ai-label.js';
import { anchorPlace } from '../log/anchor.js';
import { MARK_LAYERS } from '../marks/mark-layer.js';
import { instantAnswer } from '../records/json-fields.js';

const count = z.int().nonnegative();
const title = z
  .string()
  .optional()
  .meta({ description: 'Title of the content in this project; absent without a title' });

/** A layer with its state at the time of the report. */
const reportedLayerSchema = z
  .object({
    kind: z.enum(MARK_LAYERS),
    state: z.enum(['added', 'pending', 'unavailable']),
    method: z.string().nullable().meta({
      description:
        '`c2pa`, the method of the fingerprint, `rfc6962`, `image-mark/1`, `sound-mark/1`, or the soft binding algorithm of a model; null when unavailable',
    }),
  })
  .meta({ id: 'ReportedLayer' });

/**
 * Schema of a marked content: the first output of an action with a mark (`ext:mark@1.0.0`). The service recorded the
 * action in the period. The output is a marked copy, or a content that the service recorded unchanged. The performer is
 * present only as an id, and personal fields are absent.
 */
export const markedContentSchema = z
  .object({
    cid: z.string(),
    title,
    actionId: z.string().meta({ description: 'The action that marked the content' }),
    recordedAt: instantAnswer,
    performedBy: z.string().meta({ description: 'Entity id' }),
    type: z.string().meta({ description: 'Kind of content: `image`, `text`, ...' }),
    mimeType: z.string().nullable(),
    aiDisclosure: aiDisclosureSchema,
    layers: z.array(reportedLayerSchema).meta({ description: 'Every layer, in a fixed order' }),
    receiptUrl: z.string().meta({ description: 'Path of the receipt, which proves the disclosure' }),
  })
  .meta({ id: 'MarkedContent' });

/** Schema of a page of marked contents, newest first. */
export const markedPageSchema = z
  .object({
    contents: z.array(markedContentSchema),
    count: count.meta({ description: 'Contents on this page' }),
    nextCursor: z.string().nullable().meta({
      description: 'Value of `cursor` for the next page of `GET /v1/compliance/marks`; null at the end',
    }),
  })
  .meta({ id: 'MarkedContents' });

const marksSchema = z.object({
  total: count.meta({ description: 'Marked contents of the period' }),
  complete: z.boolean().meta({
    description:
      'False when the period has too many or too large records for one report; request a shorter period',
  }),
  byType: z.array(z.object({ type: z.string(), count })).meta({
    description:
      'At most 1,000 types: those of the newest contents. The count of `other` includes all further types',
  }),
  byDisclosure: z.array(z.object({ aiDisclosure: aiDisclosureSchema, level: z.enum(AI_LEVELS), count })),
  byLayer: z.array(z.object({ ...reportedLayerSchema.shape, count })),
  newest: markedPageSchema,
});

const markedCopySchema = z
  .object({
    cid: z.string(),
    title,
    actionId: z.string().meta({ description: 'The action that marked the copy' }),
  })
  .meta({ id: 'MarkedCopy' });

/** A content whose action or manifest has AI, although the action has no AI mark. Personal fields are absent. */
const unmarkedContentSchema = z
  .object({
    cid: z.string(),
    title,
    actionId: z.string().meta({ description: 'The action that made the content' }),
    recordedAt: instantAnswer,
    performedBy: z.string().meta({ description: 'Entity id' }),
    type: z.string().nullable().meta({ description: 'Kind of content: `image`, `text`, ...' }),
    mimeType: z.string().nullable(),
    markedCopy: markedCopySchema.optional().meta({
      description:
        'A marked copy of the content, also one from after the period. Its action has an AI mark, the content as its first input, and one output. The service searches only the first 20 uses of the content, by the id of the action. It does not find a copy if the list of inputs or outputs of its action has more than 2,000 bytes, which is about 30 contents, or if the list of outputs of the action that made the content with an AI tool is that long',
    }),
  })
  .meta({ id: 'UnmarkedContent' });

const unmarkedSchema = z.object({
  aiActions: count.meta({ description: 'Actions with an AI tool (`ext:ai@1.0.0`) and no mark' }),
  aiManifests: count.meta({
    description: 'Contents whose manifest states that AI took part, and whose action has no mark',
  }),
  aiActionsWithCopy: count.optional().meta({
    description: 'Number of actions in `aiActions` whose first output has a marked copy (`markedCopy`)',
  }),
  aiManifestsWithCopy: count
    .optional()
    .meta({ description: 'Number of contents in `aiManifests` that have a marked copy (`markedCopy`)' }),
  newest: z.array(unmarkedContentSchema).meta({
    description:
      'At most 20 contents of these actions and manifests, newest first, each once. `POST /v1/mark` records a marked copy of a content. The content itself stays in the counts',
  }),
});

const detectionsSchema = z.object({
  detector: z.boolean().meta({ description: 'Whether the public detector is on now' }),
  countedSince: z.iso.date().meta({ description: 'First UTC day that the service counted' }),
  days: z
    .object({ first: z.iso.date(), last: z.iso.date() })
    .meta({ description: 'The UTC days that the counts cover, both included' }),
  byLayer: z.array(
    z.object({
      layer: z.enum(MARK_LAYERS),
      confidence: detectionLayerSchema.shape.confidence,
      findings: count,
    }),
  ),
});

const coverage = {
  size: count.meta({ description: 'Number of leaves that the anchor or the time-stamp covers' }),
  coversPeriod: z
    .boolean()
    .meta({ description: 'Whether the anchor or the time-stamp covers every leaf of the period' }),
};

const logSchema = z.object({
  origin: z.string().meta({ description: 'Name of the log' }),
  verifierKey: z.string().meta({ description: 'C2SP signed-note: `<origin>+<key id>+<base64>`' }),
  publicKey: z.string().meta({ description: 'Ed25519, 64 hex digits' }),
  checkpoint: z.string().meta({ description: 'Signed state of the log at the time of the report (C2SP)' }),
  sizes: z.object({ atStart: count, atEnd: count }).meta({
    description:
      'Number of leaves up to the last action or attribution that was recorded before the start (`atStart`) or the end (`atEnd`) of the period',
  }),
  anchor: z
    .object({ ...coverage, ...anchorPlace, blockNumber: count, status: z.enum(['confirmed', 'final']) })
    .nullable()
    .meta({ description: 'The first anchor that covers the period; if none does, the newest anchor' }),
  timestamp: z
    .object({ ...coverage, time: instantAnswer })
    .nullable()
    .meta({ description: 'First RFC 3161 time-stamp that covers the period; if none does, the newest' }),
});

const robustnessSchema = z
  .object({
    method: z.string(),
    layer: z.enum(MARK_LAYERS),
    source: z.string().meta({ description: 'Path in the repository of the file with the measurement' }),
    measures: z.string().meta({ description: 'Meaning of the values; plain text' }),
    unit: z.enum(['percent', 'agreement']),
    figures: z.array(
      z.object({
        alteration: z.string(),
        of: z.string().meta({
          description:
            'Subject of the value: the heading of its column in the measurement, such as `photographs`',
        }),
        value: z.number(),
        low: z.number().optional().meta({ description: 'Lower end of the 95 % interval' }),
        high: z.number().optional().meta({ description: 'Upper end of the 95 % interval' }),
      }),
    ),
    limits: z.array(z.string()).meta({ description: 'Limits of the method and of the measurement' }),
  })
  .meta({ id: 'Robustness' });

/**
 * Schema of a compliance report: facts about the marks of a project in a period. The report is not a legal assessment.
 */
export const complianceReportSchema = z
  .object({
    generatedAt: instantAnswer,
    service: z.string().meta({ description: 'Host and path of the service' }),
    version: z.string().meta({ description: 'Version of the service' }),
    projectId: z.string(),
    project: z
      .object({ name: z.string(), orgName: z.string().meta({ description: 'Name of the organisation' }) })
      .optional()
      .meta({ description: 'Names of the project; absent in a report of an earlier version' }),
    period: z
      .object({ from: instantAnswer, to: instantAnswer })
      .meta({ description: 'Start (included) and end (excluded), by the time of recording' }),
    marks: marksSchema,
    unmarked: unmarkedSchema.meta({
      description:
        'AI content without a mark. Omits content whose AI is only in its sources: marks do not fit it, because they state that AI made or changed the content itself',
    }),
    detections: detectionsSchema,
    log: logSchema.nullable().meta({ description: 'Null when the service has no key for its log' }),
    robustness: z.array(robustnessSchema),
  })
  .meta({ id: 'ComplianceReport' });

/** A layer of a marked content, with its state at the time of the report. */
export type ReportedLayer = z.output<typeof reportedLayerSchema>;
/** A content with a mark that was recorded in the period. */
export type MarkedContent = z.output<typeof markedContentSchema>;
/** A content with AI that was recorded without a mark of AI. */
export type UnmarkedContent = z.output<typeof unmarkedContentSchema>;
/** A page of marked contents, newest first. */
export type MarkedContents = z.output<typeof markedPageSchema>;
/** The measured robustness of a method. */
export type Robustness = z.output<typeof robustnessSchema>;
/** Facts about the marks of a project in a period. */
export type ComplianceReport = z.output<typeof complianceReportSchema>;
