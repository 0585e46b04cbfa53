import * as z from 'zod';

const unitDistanceSchema = z
  .object({
    unit: z.enum(['content', 'data', 'instance']),
    bits: z.int().positive().meta({ description: 'The number of compared bits' }),
    distance: z.int().min(0).meta({ description: 'The number of different bits' }),
  })
  .meta({ id: 'IsccDistance' });

/**
 * Schema of recorded content whose ISCC is near the searched code. `units` compares each unit that both codes have.
 * `score` is the fraction of equal bits of the Content-Codes. It is 1 if the Instance-Codes are equal.
 */
export const isccMatchSchema = z
  .object({
    cid: z.string(),
    score: z.number().min(0).max(1),
    type: z.string().meta({ description: 'The type of the content, such as image' }),
    iscc: z.string().meta({ description: 'The ISCC-CODE of the content' }),
    units: z.array(unitDistanceSchema),
  })
  .meta({ id: 'IsccMatch' });

/**
 * Schema of the results of a search by ISCC, the nearest first. `exact`: all searched bits of an Instance-Code are
 * equal. `review`: the Content-Code of at least one content is near; a person or `POST /v1/search/file` must check it.
 */
export const isccSearchResultSchema = z
  .object({
    verdict: z.enum(['exact', 'review', 'no-match']),
    matches: z.array(isccMatchSchema),
    compared: z.int().min(0).meta({ description: 'The number of compared Content-Codes' }),
    isComplete: z
      .boolean()
      .meta({ description: 'False when the project has more Content-Codes than a search compares' }),
  })
  .meta({ id: 'IsccSearchResult' });

/**
 * Schema of the ISCC of a recorded content. Each unit in `units` has all 256 bits. Until the service has computed the
 * ISCC, `units` is empty, and `iscc` and `softBinding` are null.
 */
export const contentIsccSchema = z
  .object({
    cid: z.string(),
    iscc: z.string().nullable().meta({ description: 'The ISCC-CODE, with 64 bits of each unit' }),
    units: z
      .array(z.string())
      .meta({ description: 'Content-Code (if there is one), Data-Code, Instance-Code' }),
    softBinding: z
      .object({ alg: z.literal('io.iscc.v0'), value: z.string() })
      .nullable()
      .meta({ description: 'The units as a C2PA soft binding, in base64' }),
    metaCode: z.string().nullable().meta({
      description:
        'The Meta-Code of the present title, with 256 bits; null without a title. The service does not store or search it',
    }),
  })
  .meta({ id: 'ContentIscc' });

/** Recorded content whose ISCC is near the searched code. */
export type IsccMatch = z.output<typeof isccMatchSchema>;
/** The results of a search by ISCC, the nearest first. */
export type IsccSearchResult = z.output<typeof isccSearchResultSchema>;
/** The ISCC of a recorded content. */
export type ContentIscc = z.output<typeof contentIsccSchema>;
