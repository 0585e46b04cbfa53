import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { jsonFault } from '../records/json-fault.js';
import { anchorSchema } from './anchor.js';
import { logHashSchema, logPathSchema } from './log-fields.js';

/** A number of leaves, or an index. */
export const leafCountSchema = z.int().nonnegative();

/** The siblings on the path to the root. */
export const inclusionPathSchema = logPathSchema.meta({
  description: 'From the leaf to the root (RFC 9162 §2.1.3)',
});

/** Schema of the position of a record in the log, with the proof. The schema rejects malformed hashes. */
export const logEntrySchema = z
  .strictObject({
    origin: z.string().min(1).meta({ description: 'Name of the log' }),
    leafIndex: leafCountSchema,
    leafHash: logHashSchema,
    inclusionPath: inclusionPathSchema,
    checkpoint: z.string().meta({ description: 'Signed note (C2SP tlog-checkpoint)' }),
  })
  .meta({ id: 'LogEntry' });

/** The position of a record in the log, with the proof; hashes in base64. */
export type LogEntry = z.output<typeof logEntrySchema>;

/** Levels that a record adds around the JSON of a caller, which has at most `MAX_JSON_DEPTH` levels. */
const LEVELS_AROUND = 8;

const json = z
  .unknown()
  .superRefine((value, context) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const fault = isObject ? jsonFault(value, -LEVELS_AROUND) : 'Expected a JSON object';
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .transform((value) => value as JsonObject)
  .meta({ type: 'object', additionalProperties: true });

/** Schema of a receipt, version 1: a record with the proof that the log of its project contains it. */
export const receiptSchema = z
  .strictObject({
    version: z.literal(1),
    record: z.strictObject({
      kind: z.enum(['entity', 'action', 'attribution']),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      body: json.meta({ description: 'The record in the form that its digest covers' }),
      salts: z
        .record(z.string(), z.string())
        .meta({ description: 'JSON pointer of each personal field -> base64 of its salt' }),
    }),
    log: logEntrySchema,
    anchor: anchorSchema.optional().meta({ description: 'The anchor of the record on a chain' }),
  })
  .meta({ id: 'Receipt' });

/** A parsed receipt, version 1. */
export type Receipt = z.output<typeof receiptSchema>;
