import * as z from 'zod';
import { contentIdSchema } from '../content-id-schema.js';
import { entityIdSchema } from '../records/entity.js';
import { instantAnswer, instantField, nameField } from '../records/json-fields.js';

/**
 * What a publication may withhold. `metadata` is that of entities; `tools` says which AI was used; `details` are
 * extensions, which may hold any of the others, and sessions.
 */
export const WITHHOLDABLE = ['names', 'wallets', 'metadata', 'notes', 'prompts', 'tools', 'details'] as const;

const MAX_HIDDEN = 1000;

const withholdable = z.enum(WITHHOLDABLE);
const isDistinct = (given: readonly string[]) => new Set(given).size === given.length;

/** Withheld unless the caller says otherwise. */
const USUALLY_WITHHELD = ['wallets', 'metadata', 'notes', 'prompts', 'details'] as const;

/** What cannot be guessed is what opens a publication: 18 random bytes, base64url. */
export const publicationIdSchema = z
  .string()
  .regex(/^[\w-]{24}$/, 'Expected a publication id: 24 letters, digits, _ or -')
  .meta({
    description: 'Whoever knows it may read what is published',
    examples: ['q0Yx2n5mT7Jw1c9Zb4Rk8uEs'],
  });

const hiddenEntities = z.union([z.literal('all'), z.array(z.string())]).meta({
  description: 'Entities that are shown under a pseudonym alone: `all`, or their ids',
});

/** What a caller says of a publication. */
export const publicationInputSchema = z
  .strictObject({
    cid: contentIdSchema,
    title: nameField(200).optional().meta({ description: 'Shown above the history, as it is' }),
    withhold: z
      .array(withholdable)
      .max(WITHHOLDABLE.length)
      .refine(isDistinct, 'Names one thing twice')
      .default([...USUALLY_WITHHELD])
      .meta({
        description: 'What is left out; `details` goes with any other, since extensions may repeat it',
      }),
    hiddenEntities: z
      .union([
        z.literal('all'),
        z.array(entityIdSchema).max(MAX_HIDDEN).refine(isDistinct, 'Names one entity twice'),
      ])
      .default([])
      .meta({
        description: 'Entities that are shown under a pseudonym alone: `all`, or their ids',
      }),
    expiresAt: instantField
      .optional()
      .meta({ description: 'From then on it is not there; never by default' }),
  })
  .meta({ id: 'PublicationRequest' });

/** A publication as its project sees it. */
export const publicationSchema = z
  .object({
    id: publicationIdSchema,
    cid: z.string(),
    title: z.string().nullable(),
    withhold: z.array(withholdable),
    hiddenEntities,
    path: z
      .string()
      .meta({ description: 'Of the page, at this service', examples: ['/app/p/q0Yx2n5mT7Jw1c9Zb4Rk8uEs'] }),
    createdAt: instantAnswer,
    expiresAt: instantAnswer.nullable(),
    revokedAt: instantAnswer.nullable(),
  })
  .meta({ id: 'Publication' });

/** Something that a publication may withhold. */
export type Withholdable = z.output<typeof withholdable>;
/** What a caller says of a publication, parsed. */
export type PublicationInput = z.output<typeof publicationInputSchema>;
/** What a caller says of a publication, as it is sent. */
export type PublicationRequest = z.input<typeof publicationInputSchema>;
/** A publication as its project sees it. */
export type Publication = z.output<typeof publicationSchema>;

/** Where the page of a publication is, at its service. */
export function publicationPath(id: string): string {
  return `/app/p/${id}`;
}
