import * as z from 'zod';
import { LONE_SURROGATE_OR_NUL } from './json-fault.js';
import { resourceSchema } from './resource.js';

/** Maximum length of a title, in UTF-16 code units. */
export const MAX_TITLE_LENGTH = 200;
/**
 * The time for normalisation grows with the square of the number of accents. Real text has at most three times the
 * length of its NFC.
 */
const MAX_RAW_LENGTH = 4 * MAX_TITLE_LENGTH;
/** Control characters, line separators, and characters that change the direction of text. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
const NOT_IN_TITLES = new RegExp(`${UNSEEN.source}|\\p{Cs}`, 'gu');
/** Sent by programs for bytes without a file name. */
const PLACEHOLDERS = ['-', 'blob', 'file', 'file.bin', 'stdin', 'text.txt', 'upload'];

/** Schema of the title of a content: 1 to 200 UTF-16 code units of one line. The parsed value is in NFC. */
export const titleSchema = z
  .string()
  .max(MAX_RAW_LENGTH, { error: `Expected at most ${MAX_TITLE_LENGTH} characters`, abort: true })
  .normalize('NFC')
  .min(1, `Expected 1 to ${MAX_TITLE_LENGTH} characters; null means no title`)
  .max(MAX_TITLE_LENGTH, `Expected at most ${MAX_TITLE_LENGTH} characters`)
  .refine((text) => !LONE_SURROGATE_OR_NUL.test(text), 'Must not contain NUL or lone surrogates')
  .refine((text) => text.trim() === text, 'Must not begin or end with white space')
  .refine(
    (text) => !UNSEEN.test(text),
    'Must not contain control characters, line separators or characters that change the direction of text',
  )
  .meta({ examples: ['Poster for the harbour festival'] });

/** Schema of a change of the title of a content. Null removes the title. */
export const titlePatchSchema = z
  .strictObject({ title: titleSchema.nullable().meta({ description: 'Null removes the title' }) })
  .meta({ id: 'ResourcePatch' });

/** Schema of a content with its title. `cid` is canonical. `title` is null for content without a title. */
export const contentTitleSchema = z
  .object({ cid: z.string(), title: z.string().nullable() })
  .meta({ id: 'ContentTitle' });

/**
 * Schema of the AI level of a content. Only the records about this content count, not the history of its sources.
 * `human`: a disclosure states that no AI took part. `unstated`: no record states whether AI took part.
 */
export const ownAiLevelSchema = z.enum(['generated', 'assisted', 'human', 'unstated']);

/** `name` is absent for an entity without a name, or with more than 8 KiB of data. */
const makerSchema = z.object({ id: z.string(), name: z.string().optional() });

/** Schema of content with its title. Bundles use `resourceSchema` instead, because a history contains no titles. */
export const titledResourceSchema = resourceSchema
  .extend({
    title: z
      .string()
      .optional()
      .meta({ description: 'No record and no proof contains the title. Absent for content without a title' }),
    ai: ownAiLevelSchema.optional().meta({
      description:
        'AI level according to the actions that made the content, its Content Credentials and its attributions. AI in the sources of the content does not count; the history shows it. Earlier versions of the service do not return this level',
    }),
    tool: z
      .string()
      .optional()
      .meta({
        description:
          'Provider, model and version of the AI tool in the first action that used one to make the content, at most 500 characters. For a marked copy, the `generator` of its mark; absent if an earlier version recorded the copy',
        examples: ['Acme painter-7'],
      }),
    hasSources: z.literal(true).optional().meta({
      description:
        'Present if the action that first recorded the content used other content. Earlier versions of the service do not return it',
    }),
    creatorName: z.string().optional().meta({
      description:
        'Name of the entity `createdBy`. Absent if this entity has no name, or has more than 8 KiB of data',
    }),
    makers: z.array(makerSchema).optional().meta({
      description:
        'The present makers: the performers of those actions that made the content and that no later action corrects. For a marked copy, the makers of its original. Absent if the entity `createdBy` is the only maker. Only in lists with a `limit` of at most 50, and in lists with the filter `maker`. Absent for contents with more than 8 actions or with an action of more than 4 KiB',
    }),
    correctedMaker: makerSchema.optional().meta({
      description:
        'If the action of the entity `createdBy` was corrected: the performer of its last correction. Absent if this is the entity `createdBy` itself. Only together with `makers`',
    }),
  })
  .meta({ id: 'TitledResource' });

/** A change of the title of a content. */
export type TitlePatch = z.output<typeof titlePatchSchema>;
/** The title of a content. */
export type ContentTitle = z.output<typeof contentTitleSchema>;
/** The AI level that the records of a content itself state. */
export type OwnAiLevel = z.output<typeof ownAiLevelSchema>;
/** Content with its title. */
export type TitledResource = z.output<typeof titledResourceSchema>;

/**
 * Converts a file name into a title: the last part of a path, in NFC, without control characters, at most 200 UTF-16
 * code units. Returns undefined if no text is left, and for names that programs send for bytes
 * without a name.
 *
 * @example
 * toTitle('C:\\photos\\harbour.jpg'); // => 'harbour.jpg'
 */
export function toTitle(fileName: string): string | undefined {
  const name = fileName.split(/[/\\]/).at(-1) ?? '';
  const title = toShownTitle(name);
  return title === null || PLACEHOLDERS.includes(title) ? undefined : title;
}

/**
 * Converts any text, such as the title of a manifest, into a valid title: in NFC, without control characters, at most
 * 200 UTF-16 code units. Returns null if no text is left.
 *
 * @example
 * toShownTitle('AC/DC\nlive'); // => 'AC/DClive'
 */
export function toShownTitle(text: string): string | null {
  // The removal can place an accent directly after its letter, so normalise afterwards.
  const shown = text.replace(NOT_IN_TITLES, '').slice(0, MAX_RAW_LENGTH).normalize('NFC').trim();
  const title = shown
    .slice(0, MAX_TITLE_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
  return title === '' ? null : title;
}
