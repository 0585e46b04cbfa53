import type { ProofVersion } from '@colophon/model';
import { z } from 'zod';
import { PROOF_VERSION } from '../../records/read/prove-bundle.js';

const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;
const MAX_OFFSET = 100_000;

const whole = (min: number, max: number) => {
  const expected = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: expected, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected)
    .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined });
};

export const wholeNumberQuery = whole;

export function pageQuery<Cursor extends z.ZodType>(cursor: Cursor) {
  return z.strictObject({
    limit: whole(1, MAX_PAGE)
      .default(DEFAULT_PAGE)
      .meta({ description: `Maximum number of entries on a page (default ${DEFAULT_PAGE})` }),
    cursor: cursor.optional().meta({ description: '`nextCursor` of the previous page' }),
  });
}

export function listQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z.strictObject({
    ...filters,
    limit: whole(1, MAX_PAGE)
      .default(DEFAULT_PAGE)
      .meta({
        description: `Maximum number of records on a page (default ${DEFAULT_PAGE}); a page of large records ends at about 1 MiB, and if few records match the filters, a page can be shorter or empty`,
      }),
    cursor: z.string().max(1024).optional().meta({ description: '`nextCursor` of the previous page' }),
    offset: whole(0, MAX_OFFSET)
      .optional()
      .meta({ description: 'Number of records to skip; use cursor instead where possible' }),
  });
}

const EXPECTED_INSTANT = 'must be an instant such as 2026-08-02T09:30:00Z (RFC 3339), of the years 1 to 9999';

/** A query value that is an instant. The result is in UTC with milliseconds, as in the database. */
export const instantQuery = z.iso
  .datetime({ offset: true, error: EXPECTED_INSTANT })
  .transform((text, context) => {
    const at = new Date(text);
    const year = at.getUTCFullYear();
    if (year >= 1 && year <= 9999) return at.toISOString();
    context.addIssue({ code: 'custom', message: EXPECTED_INSTANT });
    return z.NEVER;
  });

const EXPECTED_DAY =
  'must be a date such as 2026-08-02, or an instant such as 2026-08-02T09:30:00Z (RFC 3339), of the years 1 to 9999';

/** A query value that is an instant or a date. A date means its start in UTC. */
export const dayOrInstantQuery = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: EXPECTED_DAY })
  .transform((text, context) => {
    const at = new Date(text);
    const year = at.getUTCFullYear();
    if (year >= 1 && year <= 9999) return at.toISOString();
    context.addIssue({ code: 'custom', message: EXPECTED_DAY });
    return z.NEVER;
  });

export function listAnswer<Record extends z.ZodType>(name: string, record: Record) {
  return z.object({
    [name]: z.array(record),
    count: z.int().nonnegative().meta({ description: 'Records on this page' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Null on the last page; a short or empty page can have a cursor' }),
  });
}

export const proofVersionQuery = z
  .enum(['1', '2'])
  .transform((version): ProofVersion => (version === '1' ? 1 : 2))
  .default(PROOF_VERSION)
  .meta({
    description:
      'Version of the proof: 2 also shows that no attribution is missing; 1 is for older verifiers',
  });
