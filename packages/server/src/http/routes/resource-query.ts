import { entityIdSchema, ownAiLevelSchema, resourceTypeSchema } from '@colophon/model';
import { z } from 'zod';
import { MAX_MADE_CONTENTS } from '../../records/read/content-makers.sql.js';
import { MAX_TITLE_WORDS } from '../../records/read/list-sources.sql.js';
import type { ListFilters } from '../../records/read/lists.sql.js';
import { OWN_AI_LEVELS } from '../../records/read/record-text.sql.js';
import { instantQuery, listQuery } from '../wire/list-query.js';
import { searchedText } from './search.js';

/** Maximum number of contents in a list with the filter `text`. */
export const MAX_LIKE = 50;

/** White space and punctuation, as in the SQL function `title_words`. */
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+/;
/** Number of characters of a stored word, in decomposed form (NFKD). */
const MAX_WORD_LENGTH = 64;

/** PostgreSQL stores no NUL in a text. */
const WITHOUT_NUL = /^[^\0]*$/;

/** A character can become several characters in decomposed form. */
function shorten(word: string): string {
  let kept = '';
  for (const character of word) {
    if ([...`${kept}${character}`.normalize('NFKD')].length > MAX_WORD_LENGTH) break;
    kept += character;
  }
  return kept;
}

const titleWords = z
  .string()
  .max(200)
  .regex(WITHOUT_NUL, 'must have no NUL')
  .transform((text, context) => {
    const words = [...new Set(text.normalize('NFKC').split(BETWEEN_WORDS))]
      .filter((word) => word !== '')
      .map(shorten);
    if (words.length > 0 && words.length <= MAX_TITLE_WORDS) return words;
    context.addIssue(`must have 1 to ${MAX_TITLE_WORDS} words; punctuation is not searched`);
    return z.NEVER;
  });

const mediaTypes = z
  .string()
  .max(255)
  .toLowerCase()
  .regex(/^[a-z]+\/(?:\*|[\w.+-]+)$/, 'must be a media type such as image/png, or a family such as image/*');

export const resourceQuery = listQuery({
  type: resourceTypeSchema.optional(),
  creator: entityIdSchema.optional().meta({
    description:
      'Value of the member `createdBy`: the id of the first creator. A later correction does not change it',
  }),
  maker: entityIdSchema.optional().meta({
    description: `Id of a maker: the performer of an action that made the content. Corrected actions do not count, but their corrections do. For a marked copy, the makers of its original count. A page has at most ${MAX_MADE_CONTENTS} contents. Allows no \`offset\``,
  }),
  since: instantQuery.optional().meta({ description: 'First known at this instant or later' }),
  until: instantQuery.optional().meta({ description: 'First known before this instant' }),
  text: searchedText.optional().meta({
    description: `Lists only the first ${MAX_LIKE} texts that \`POST /v1/search/text\` finds with this text`,
  }),
  title: titleWords.optional().meta({
    description: `Beginnings of up to ${MAX_TITLE_WORDS} words of the title. Case and accents are ignored`,
    examples: ['harb fest'],
  }),
  tool: z
    .string()
    .min(1)
    .max(500)
    .regex(WITHOUT_NUL, 'must have no NUL')
    .optional()
    .meta({
      description: 'Exact value of the member `tool` of the content; upper and lower case differ',
      examples: ['Acme painter-7'],
    }),
  ai: ownAiLevelSchema.optional().meta({
    description:
      'AI level that the records of the content itself state. The filter ignores AI in the sources of the content, because only the history shows the sources',
  }),
  mimeType: mediaTypes.optional().meta({
    description: 'A media type, or a family of media types such as `image/*`',
    examples: ['image/*'],
  }),
});

/** Returns all filters except `text`. */
export function toResourceFilters(
  query: Omit<z.output<typeof resourceQuery>, 'text' | 'limit' | 'cursor' | 'offset'>,
): ListFilters {
  const { title = [], ai, mimeType, ...same } = query;
  const words = title.map((word, place) => [`titleWord${place}`, word]);
  return { ...same, ...Object.fromEntries(words), ...toAi(ai), ...toMedia(mimeType) };
}

function toAi(level: z.output<typeof ownAiLevelSchema> | undefined): ListFilters {
  if (level === undefined) return {};
  const number = String(OWN_AI_LEVELS.indexOf(level));
  return level === 'unstated' ? { withoutAi: number } : { ai: number };
}

function toMedia(mimeType: string | undefined): ListFilters {
  if (mimeType === undefined) return {};
  return mimeType.endsWith('/*') ? { mimeFamily: mimeType.slice(0, -1) } : { mimeType };
}
