import * as z from 'zod';
import { bundleSchema } from './bundle.js';

/**
 * Content that is the same as another, or was made from it by an edit. `score` is 1 for the same bytes, else what the
 * method measured, at most 1; scores of two methods do not compare.
 */
export const matchSchema = z
  .object({
    cid: z.string(),
    score: z.number().min(0).max(1),
    method: z.string().meta({ description: 'How it was found, such as sha256, image-512/1 or image-fit/2' }),
    type: z.string().meta({ description: 'The type of the content, such as image' }),
  })
  .meta({ id: 'Match' });

/**
 * What a search found, the surest first. `exact`: the same bytes; `auto`: the same content beyond reasonable doubt;
 * `review`: likely, for a person to look at.
 */
export const searchResultSchema = z
  .object({
    verdict: z.enum(['exact', 'auto', 'review', 'no-match']),
    matches: z.array(matchSchema),
    bundle: bundleSchema
      .optional()
      .meta({ description: 'The history of the first match, when it was asked for' }),
  })
  .meta({ id: 'SearchResult' });

/** A vector that was kept for a content: the method under which it is found, and how many numbers it has. */
export const givenVectorSchema = z
  .object({ cid: z.string(), method: z.string(), dimensions: z.int().positive() })
  .meta({ id: 'GivenVector' });

/** A vector that was kept for a content. */
export type GivenVector = z.output<typeof givenVectorSchema>;
/** Content that is the same as another, or was made from it by an edit. */
export type Match = z.output<typeof matchSchema>;
/** What a search found, the surest first. */
export type SearchResult = z.output<typeof searchResultSchema>;
