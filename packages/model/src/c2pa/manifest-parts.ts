import * as z from 'zod';
import { contentIdSchema } from '../content-id-schema.js';
import { instantField, jsonObjectField, nameField, textField } from '../records/json-fields.js';
import { isSourceTypeOfAi } from './digital-source-type.js';
import { MAX_LABEL_LENGTH } from './lenient-fields.js';
import { present } from './present.js';
import { aiDisclosureSchema } from './provenance-assertion.js';
import { trainingMiningSchema } from './training-mining.js';

const ACTION_NAME = /^[a-zA-Z][\w-]*(?:\.[\w-]+)+$/;
const MAX_ITEMS = 1000;
const MAX_ID_LENGTH = 128;

const toolSchema = z.strictObject({
  name: nameField(256),
  version: nameField(128).optional(),
  provider: nameField(256).optional(),
});

/** The union has the `transform`, because the OpenAPI document does not describe a member that has a `transform`. */
const toolField = z
  .union([toolSchema, nameField(256)])
  .transform((tool) => (typeof tool === 'string' ? { name: tool } : present(tool)));

const partsActionSchema = z.strictObject({
  action: z.string().refine(isActionName, 'Expected a name such as c2pa.cropped'),
  when: instantField
    .optional()
    .meta({ description: 'Time of the action; default: `timestamp` of the request, else now' }),
  softwareAgent: toolField.optional(),
  digitalSourceType: textField(200).optional(),
  description: textField(1000).optional(),
  parameters: jsonObjectField.optional(),
  ingredients: z.array(z.string()).max(MAX_ITEMS).optional().meta({ description: 'Ids of ingredients' }),
});

const partsIngredientSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[\w:.-]{1,128}$/, 'Expected 1 to 128 letters, digits, and any of : . _ -')
    .meta({
      description:
        'Identifier of the ingredient, valid only in this request; `ingredients` of an action refer to it',
    }),
  cid: contentIdSchema.optional(),
  title: textField(1000).optional(),
  format: nameField(128).optional(),
  instanceId: nameField(512).optional(),
  relationship: z.enum(['parentOf', 'componentOf', 'inputTo']),
});

/** Schema of the content of a new manifest. */
export const manifestPartsSchema = z
  .strictObject({
    title: textField(1000).optional(),
    generator: toolField,
    aiDisclosure: aiDisclosureSchema,
    actions: z.array(partsActionSchema).max(MAX_ITEMS).default([]),
    ingredients: z.array(partsIngredientSchema).max(MAX_ITEMS).default([]),
    metadata: jsonObjectField.optional(),
    trainingMining: trainingMiningSchema.optional(),
  })
  .superRefine(reportFaults);

/** The content of a new manifest, as a caller writes it. */
export type ManifestParts = z.input<typeof manifestPartsSchema>;

export type ParsedParts = z.output<typeof manifestPartsSchema>;

/** A name of C2PA, or a name in a namespace (C2PA 2.3 §6.2). */
export function isActionName(name: string): boolean {
  return name.length <= MAX_LABEL_LENGTH && ACTION_NAME.test(name);
}

type Shape = Pick<ParsedParts, 'actions' | 'ingredients' | 'aiDisclosure'>;

const ORIGINS = ['c2pa.created', 'c2pa.opened'];
const OF_COMPONENTS = ['c2pa.placed', 'c2pa.removed'];

/** The rules of validators (C2PA 2.3 §18.15 and §15.10). */
function reportFaults(parts: Shape, context: z.RefinementCtx): void {
  const report = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  const ids = parts.ingredients.map(({ id }) => id);
  const parents = parts.ingredients.filter(({ relationship }) => relationship === 'parentOf');
  if (new Set(ids).size !== ids.length) report(['ingredients'], 'Two ingredients have the same id');
  if (parents.length > 1)
    report(['ingredients'], 'At most one ingredient can have the relationship parentOf');
  if (parts.actions.filter(({ action }) => ORIGINS.includes(action)).length > 1) {
    report(['actions'], 'At most one action can be c2pa.created or c2pa.opened');
  }
  const relationships = new Map(parts.ingredients.map(({ id, relationship }) => [id, relationship]));
  const known = { relationships, hasParent: parents.length > 0, aiDisclosure: parts.aiDisclosure };
  for (const [index, action] of parts.actions.entries()) {
    for (const [member, message] of faultsOf(action, known)) report(['actions', index, member], message);
  }
}

interface Known {
  readonly relationships: ReadonlyMap<string, string>;
  readonly hasParent: boolean;
  readonly aiDisclosure: ParsedParts['aiDisclosure'];
}

function* faultsOf(
  { action, digitalSourceType, ingredients: used = [] }: ParsedParts['actions'][number],
  { relationships, hasParent, aiDisclosure }: Known,
): Generator<[member: string, message: string]> {
  const found = used.map((id) => relationships.get(id));
  if (action === 'c2pa.opened' && !hasParent)
    yield ['action', 'c2pa.opened needs an ingredient with the relationship parentOf'];
  if (action === 'c2pa.created' && hasParent)
    yield ['action', 'c2pa.created is not allowed next to a parentOf ingredient; use c2pa.opened'];
  const unknown = used.find((id) => !relationships.has(id));
  if (unknown !== undefined) {
    const shown = unknown.slice(0, MAX_ID_LENGTH);
    yield [
      'ingredients',
      `Unknown ingredient id \`${shown}\`; use the \`id\` of an item in \`ingredients\` of the manifest`,
    ];
  }
  const hasComponents = used.length > 0 && found.every((relationship) => relationship === 'componentOf');
  if (OF_COMPONENTS.includes(action) && !hasComponents) {
    yield [
      'ingredients',
      `${action} needs at least one ingredient, and only ingredients with the relationship componentOf`,
    ];
  }
  if (aiDisclosure === null && isSourceTypeOfAi(digitalSourceType)) {
    yield [
      'digitalSourceType',
      'This source type means AI, but aiDisclosure is null; set aiDisclosure or use another source type',
    ];
  }
}
