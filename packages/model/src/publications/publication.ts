import * as z from 'zod';
import { contentIdSchema } from '../content-id-schema.js';
import { entityIdSchema } from '../records/entity.js';
import { instantAnswer, instantField, nameField } from '../records/json-fields.js';

/**
 * The kinds of data that a publication can withhold. `metadata` is the metadata of entities, and `tools` are the names
 * of AI tools. `details` are sessions and extensions. An extension can repeat any other withheld data.
 */
export const WITHHOLDABLE = ['names', 'wallets', 'metadata', 'notes', 'prompts', 'tools', 'details'] as const;

const MAX_HIDDEN = 1000;

const withholdable = z.enum(WITHHOLDABLE);
const isDistinct = (given: readonly string[]) => new Set(given).size === given.length;

const USUALLY_WITHHELD = ['wallets', 'metadata', 'notes', 'prompts', 'details'] as const;

/**
 * Schema of a publication's id: 18 random bytes in base64url. The id is random, because everybody who knows it has
 * access.
 */
export const publicationIdSchema = z
  .string()
  .regex(/^[\w-]{24}$/, 'Expected a publication id: 24 letters, digits, _ or -')
  .meta({
    description: 'Anybody who knows the id may read the published data',
    examples: ['q0Yx2n5mT7Jw1c9Zb4Rk8uEs'],
  });

const hiddenEntities = z.union([z.literal('all'), z.array(z.string())]).meta({
  description: 'Entities that appear only under a pseudonym: `all`, or their ids',
});

/** Schema of the settings of a publication from a caller. */
export const publicationInputSchema = z
  .strictObject({
    cid: contentIdSchema,
    title: nameField(200).optional().meta({ description: 'Plain text above the history' }),
    withhold: z
      .array(withholdable)
      .max(WITHHOLDABLE.length)
      .refine(isDistinct, 'Must not contain a value twice')
      .default([...USUALLY_WITHHELD])
      .meta({
        description:
          'Kinds of data that readers do not see. Each kind also withholds `details`, because extensions can repeat the data',
      }),
    hiddenEntities: z
      .union([
        z.literal('all'),
        z.array(entityIdSchema).max(MAX_HIDDEN).refine(isDistinct, 'Must not contain an entity twice'),
      ])
      .default([])
      .meta({
        description: 'Entities that appear only under a pseudonym: `all`, or their ids',
      }),
    titles: z.boolean().optional().meta({
      description:
        'Whether readers see the current titles of the contents; default: false. Titles can be file names, which can name people',
    }),
    picture: z.boolean().optional().meta({
      description:
        'Whether readers see a smaller copy of the picture, without its metadata; default: false. Other content has no picture',
    }),
    license: z.boolean().optional().meta({
      description:
        'Whether readers see the terms of the licences (`ext:license`) even if `details` is withheld; default: false. The terms never include `attributionText`, `grantedBy`, `transactionRef` or unknown members',
    }),
    expiresAt: instantField
      .optional()
      .meta({ description: 'From this time on, the publication returns 404; default: never' }),
  })
  .meta({ id: 'PublicationRequest' });

/** Schema of a publication in responses to its project. */
export const publicationSchema = z
  .object({
    id: publicationIdSchema,
    cid: z.string(),
    title: z.string().nullable(),
    withhold: z.array(withholdable),
    hiddenEntities,
    titles: z.boolean().meta({ description: 'Whether readers see the titles of the contents' }),
    picture: z.boolean().meta({ description: 'Whether readers see a smaller copy of the picture' }),
    license: z.boolean().meta({
      description: 'Whether readers see the terms of the licences even if `details` is withheld',
    }),
    views: z
      .int()
      .nonnegative()
      .meta({ description: 'How often the published history was read. A reader can count several times' }),
    path: z.string().meta({
      description: 'Path of the page at this service',
      examples: ['/app/p/q0Yx2n5mT7Jw1c9Zb4Rk8uEs'],
    }),
    createdAt: instantAnswer,
    expiresAt: instantAnswer.nullable(),
    revokedAt: instantAnswer.nullable(),
  })
  .meta({ id: 'Publication' });

/** A kind of data that a publication can withhold. */
export type Withholdable = z.output<typeof withholdable>;
/** The parsed settings of a publication from a caller. */
export type PublicationInput = z.output<typeof publicationInputSchema>;
/** The settings of a publication, as a caller sends them. */
export type PublicationRequest = z.input<typeof publicationInputSchema>;
/** A publication in responses to its project. */
export type Publication = z.output<typeof publicationSchema>;

/** Returns the path of a publication's page at its service. */
export function publicationPath(id: string): string {
  return `/app/p/${id}`;
}
