import * as z from 'zod';
import { bundleSchema } from './bundle.js';

/**
 * Schema of recorded content that is the same as the searched content, or an edited version of it. `score` is 1 for the
 * same bytes, otherwise the score of the search method, 0 to 1. Scores of different methods cannot be compared.
 */
export const matchSchema = z
  .object({
    cid: z.string(),
    score: z.number().min(0).max(1),
    method: z.string().meta({ description: 'Search method, such as sha256, image-512/1 or image-fit/2' }),
    type: z.string().meta({ description: 'The type of the content, such as image' }),
  })
  .meta({ id: 'Match' });

/**
 * Schema of the results of a search, the most certain first. `exact`: the same bytes. `auto`: certainly the same
 * content. `review`: probably the same content; a person must check it.
 */
export const searchResultSchema = z
  .object({
    verdict: z.enum(['exact', 'auto', 'review', 'no-match']),
    matches: z.array(matchSchema),
    bundle: bundleSchema.optional().meta({ description: 'The history of the first match, on request' }),
  })
  .meta({ id: 'SearchResult' });

/** Schema of a stored vector of a content: the search method, and the number of dimensions. */
export const givenVectorSchema = z
  .object({ cid: z.string(), method: z.string(), dimensions: z.int().positive() })
  .meta({ id: 'GivenVector' });

/** A stored vector of a content. */
export type GivenVector = z.output<typeof givenVectorSchema>;
/** Recorded content that is the same as the searched content, or an edited version of it. */
export type Match = z.output<typeof matchSchema>;
/** The results of a search, the most certain first. */
export type SearchResult = z.output<typeof searchResultSchema>;
