import * as z from 'zod';
import { fromBase64 } from '../base64.js';
import { anchoredHeadsSchema } from './anchor.js';
import { logHashSchema } from './log-fields.js';
import { logEntrySchema } from './receipt.js';

const MAX_TOKEN_CHARACTERS = 87_384;

/** Schema of the time-stamp of a record, version 1 (docs/spec/timestamps-v1.md). */
export const timestampSchema = z
  .strictObject({
    version: z.literal(1),
    digest: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .meta({ description: 'Digest of the record' }),
    log: logEntrySchema,
    heads: anchoredHeadsSchema,
    root: logHashSchema.meta({ description: 'Root over the heads of all logs of the time-stamp' }),
    token: z
      .string()
      .max(MAX_TOKEN_CHARACTERS)
      .refine((text) => text !== '' && fromBase64(text) !== undefined, 'Expected base64')
      .meta({ description: 'TimeStampToken (RFC 3161 §2.4.2) over the 32 bytes of the root: DER in base64' }),
  })
  .meta({ id: 'Timestamp' });

/** A parsed time-stamp of a record, version 1. */
export type Timestamp = z.output<typeof timestampSchema>;
