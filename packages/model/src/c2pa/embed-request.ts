import * as z from 'zod';
import { contentIdSchema } from '../content-id-schema.js';
import { pemField } from '../management/management-fields.js';
import { fileActionInputSchema, sessionIdSchema } from '../records/action.js';
import { entityIdSchema } from '../records/entity.js';
import { jsonObjectField, textField } from '../records/json-fields.js';
import { resourceTypeSchema } from '../records/resource.js';
import { manifestPartsSchema } from './manifest-parts.js';
import { aiDisclosureSchema } from './provenance-assertion.js';
import { COMMENT_SYNTAXES, TEXT_FORMS } from './text/frame-manifest.js';
import { trainingMiningSchema } from './training-mining.js';

const MAX_INGREDIENTS = 100;
const MAX_ROLES = 10;
/** A CAWG role, or a role in a namespace of the caller. */
const ROLE = /^[a-z][\w-]{0,63}(?:\.[\w-]{1,64}){1,4}$/i;
const PRIVATE_KEY = /PRIVATE KEY|EC PRIVATE KEY|RSA PRIVATE KEY/;

/** Pattern for the name of a form part that contains the bytes of an ingredient. */
export const INGREDIENT_PART = /^ingredient-[a-zA-Z0-9_-]{1,64}$/;

const ingredientSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w:.-]{1,128}$/, 'Expected 1 to 128 letters, digits, and any of : . _ -')
      .optional()
      .meta({ description: 'Identifier of the ingredient; the `ingredients` of an action refer to it' }),
    cid: contentIdSchema.optional().meta({ description: 'Content whose bytes are stored in this project' }),
    part: z
      .string()
      .regex(INGREDIENT_PART, 'Expected ingredient-<name>, of letters, digits, _ and -')
      .optional()
      .meta({ description: 'Name of the form part with the bytes of the ingredient' }),
    title: textField(1000).optional(),
    relationship: z.enum(['parentOf', 'componentOf', 'inputTo']).default('componentOf').meta({
      description:
        '`parentOf`: the ingredient is the earlier version of the file; use this value when the file lost its manifest. `componentOf`: it is a part of the file. `inputTo`: it is an input of the tool that made the file',
    }),
  })
  .refine(({ cid, part }) => (cid === undefined) !== (part === undefined), 'Send either cid or part');

/** CAWG Identity Assertion 1.2. */
const identityRequestSchema = z
  .strictObject({
    certificate: pemField(/CERTIFICATE/).meta({ description: 'PEM chain, leaf first' }),
    key: pemField(PRIVATE_KEY).meta({
      description: 'PEM private key; used once, never stored or logged',
      writeOnly: true,
    }),
    roles: z
      .array(z.string().regex(ROLE, 'Expected a label such as cawg.creator'))
      .max(MAX_ROLES)
      .default([])
      .meta({ description: 'Roles that the person or organisation claims', examples: [['cawg.creator']] }),
  })
  .meta({ id: 'EmbedIdentity' });

const { id, type, inputCids: _, ...actionFields } = fileActionInputSchema.shape;

/** Schema of the form part `json` of an embedding request: the content of the manifest, and data for the records. */
export const embedInputSchema = z
  .strictObject({
    entityId: entityIdSchema.meta({ description: 'The stored entity that made the signed file' }),
    generator: manifestPartsSchema.shape.generator,
    aiDisclosure: aiDisclosureSchema,
    title: textField(1000).nullable().optional().meta({
      description:
        'Title in the manifest, and title of the content. The title of the content is one line of at most 200 UTF-16 code units. Default: no title in the manifest, and the name of the file as the title of the content. Null: no title at all',
    }),
    actions: manifestPartsSchema.shape.actions,
    ingredients: z.array(ingredientSchema).max(MAX_INGREDIENTS).default([]),
    metadata: jsonObjectField.optional(),
    trainingMining: trainingMiningSchema.optional(),
    commentSyntax: z.enum(COMMENT_SYNTAXES).optional().meta({
      description:
        'For text: write the manifest as a comment of this syntax. Default: a comment in the front matter if the text has front matter, otherwise invisible characters at the end',
    }),
    textForm: z.enum(TEXT_FORMS).optional().meta({
      description:
        '`unstructured`: write the manifest as invisible characters at the end of a plain text or HTML document, also if the text has front matter. Not together with `commentSyntax`',
    }),
    actionId: id,
    actionType: type.unwrap().optional().meta({
      description:
        'Type of the recorded action. Default: `generate` if `aiDisclosure` is `ai_generated`, otherwise `transform`',
    }),
    ...actionFields,
    sessionId: sessionIdSchema.optional(),
    resourceType: resourceTypeSchema.optional(),
    signingCertificate: pemField(/CERTIFICATE/)
      .optional()
      .meta({ description: 'PEM chain, leaf first' }),
    signingKey: pemField(PRIVATE_KEY)
      .optional()
      .meta({ description: 'PEM private key; used once, never stored or logged', writeOnly: true }),
    signingAlgorithm: z
      .enum(['es256', 'es384', 'es512', 'ps256', 'ps384', 'ps512', 'ed25519'])
      .optional()
      .meta({ description: 'Default: the algorithm of the key' }),
    identity: identityRequestSchema.optional(),
  })
  .refine(
    ({ signingCertificate, signingKey }) => (signingCertificate === undefined) === (signingKey === undefined),
    {
      path: ['signingKey'],
      message: 'Send both the certificate and its key, or neither',
    },
  )
  .refine(({ commentSyntax, textForm }) => commentSyntax === undefined || textForm === undefined, {
    path: ['textForm'],
    message: 'Send either commentSyntax or textForm',
  })
  .meta({ id: 'EmbedRequest' });

/** The parsed form part `json` of an embedding request. */
export type EmbedInput = z.output<typeof embedInputSchema>;
/** The form part `json` of an embedding request, as a caller sends it. */
export type EmbedRequest = z.input<typeof embedInputSchema>;
