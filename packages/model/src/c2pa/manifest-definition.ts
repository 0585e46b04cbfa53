import { z } from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { contentIdSchema } from '../content-id.js';
import { instantField, jsonObjectField, nameField, textField } from '../records/json-fields.js';
import { changesContent } from './action-type.js';
import { IPTC_SOURCE_TYPES, meaningOfSourceType } from './digital-source-type.js';
import { MAX_LABEL_LENGTH } from './lenient-fields.js';
import { present } from './present.js';
import { aiDisclosureSchema, PROVENANCE_ASSERTION } from './provenance-assertion.js';
import { PROVIDER_MEMBER } from './tool.js';
import { toTrainingMining, trainingMiningSchema } from './training-mining.js';

const ACTION_NAME = /^[a-zA-Z][\w-]*(?:\.[\w-]+)+$/;
const MAX_ITEMS = 1000;

const toolSchema = z.strictObject({
  name: nameField(256),
  version: nameField(128).optional(),
  provider: nameField(256).optional(),
});

/** A tool, as `{name, version?}` or by its name alone. */
const toolField = z.union([toolSchema, nameField(256).transform((name) => ({ name }))]);

const partsActionSchema = z.strictObject({
  action: z.string().refine(isActionName, 'Expected a name such as c2pa.cropped'),
  when: instantField.optional(),
  softwareAgent: toolField.optional(),
  digitalSourceType: textField(200).optional(),
  description: textField(1000).optional(),
  parameters: jsonObjectField.optional(),
  ingredients: z.array(z.string()).max(MAX_ITEMS).optional().meta({ description: 'Ids of ingredients' }),
});

const partsIngredientSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[\w:.-]{1,128}$/)
    .meta({ description: 'Name inside this request, by which actions name it' }),
  cid: contentIdSchema.optional(),
  title: textField(1000).optional(),
  format: nameField(128).optional(),
  instanceId: nameField(512).optional(),
  relationship: z.enum(['parentOf', 'componentOf', 'inputTo']),
});

/** What a new manifest is to say. */
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

/** What a new manifest is to say, as a caller writes it. */
export type ManifestParts = z.input<typeof manifestPartsSchema>;

type Parts = z.output<typeof manifestPartsSchema>;
type PartsAction = Parts['actions'][number];

/** Whether text can be the name of an action: of C2PA, or of a namespace (C2PA 2.2 §6.2). */
export function isActionName(name: string): boolean {
  return name.length <= MAX_LABEL_LENGTH && ACTION_NAME.test(name);
}

/** What c2pa-rs's builder is given. */
export interface ManifestDefinition {
  /** For `Builder.fromJson`. */
  readonly definition: JsonObject;
  /**
   * One for each ingredient, in order: with its bytes for `addIngredientFromBlob`, so that its own manifest comes
   * along, or, where there are none, as a member of `definition.ingredients`.
   */
  readonly ingredients: readonly { readonly cid?: string; readonly json: JsonObject }[];
}

/**
 * The definition of a manifest for c2pa-rs's builder, claim version 2 (C2PA 2.2 §10.2).
 *
 * - The first action is `c2pa.opened` with the earlier version when there is a `parentOf` ingredient, else
 *   `c2pa.created` (C2PA 2.2 §18.15.2); it is added when the caller does not name it.
 * - `ai_generated` is said as `trainedAlgorithmicMedia`, `ai_assisted` as `compositeWithTrainedAlgorithmicMedia` and
 *   null as `digitalCreation`, where no action says so already: on `c2pa.created`, or on the last action that changes
 *   an earlier version, since a source type is of the content as the action leaves it. When there is no such action,
 *   `c2pa.edited` is added to carry it. Null adds nothing to an earlier version.
 * - `org.colophon.provenance` carries `aiDisclosure` and `metadata`; `cawg.training-mining` is there when asked for.
 *
 * Throws a ZodError for parts that are not of `manifestPartsSchema`: among its rules, at most one `parentOf`, actions
 * that name only ingredients that are there, no `c2pa.created` beside a `parentOf` and no `c2pa.opened` without one,
 * and no source type that says less of AI than `aiDisclosure`, or more.
 *
 * @example
 * const { definition } = toManifestDefinition({ generator: 'Studio', aiDisclosure: 'ai_generated' });
 * definition.claim_generator_info; // => [{ name: 'Studio' }]
 * definition.assertions[0].data.actions.map(({ action }) => action); // => ['c2pa.created']
 */
export function toManifestDefinition(input: ManifestParts): ManifestDefinition {
  const parts = manifestPartsSchema.parse(input);
  const { title, generator, trainingMining } = parts;
  const actions = discloseAi(withOrigin(parts), parts);
  const definition: JsonObject = {
    claim_version: 2,
    claim_generator_info: [toTool(generator)],
    ...present({ title }),
    assertions: [
      { label: 'c2pa.actions.v2', data: { actions: actions.map((action) => toAction(action)) } },
      {
        label: PROVENANCE_ASSERTION,
        kind: 'Json',
        data: { version: 1, aiDisclosure: parts.aiDisclosure, metadata: parts.metadata ?? {} },
      },
      ...(trainingMining === undefined ? [] : [toTrainingMining(trainingMining)]),
    ],
  };
  return { definition, ingredients: parts.ingredients.map((ingredient) => toIngredient(ingredient)) };
}

/** The actions, the first of which says where the content is from. */
function withOrigin({ actions, ingredients }: Parts): PartsAction[] {
  const parent = ingredients.find(({ relationship }) => relationship === 'parentOf');
  if (parent === undefined) {
    const [created, ...others] = originFirst(actions, 'c2pa.created');
    return [created, ...others];
  }
  const [opened, ...others] = originFirst(actions, 'c2pa.opened');
  return [{ ...opened, ingredients: [parent.id] }, ...others];
}

function originFirst(actions: readonly PartsAction[], name: string): [PartsAction, ...PartsAction[]] {
  const origin = actions.find(({ action }) => action === name);
  return [origin ?? { action: name }, ...actions.filter((action) => action !== origin)];
}

const SOURCE_TYPES = {
  ai_generated: `${IPTC_SOURCE_TYPES}trainedAlgorithmicMedia`,
  ai_assisted: `${IPTC_SOURCE_TYPES}compositeWithTrainedAlgorithmicMedia`,
} as const;

function discloseAi(actions: PartsAction[], { aiDisclosure }: Parts): PartsAction[] {
  const isNew = actions[0]?.action === 'c2pa.created';
  const isSaid = actions.some(({ digitalSourceType }) => isOfAi(digitalSourceType));
  const sourceType = aiDisclosure === null || isSaid ? undefined : SOURCE_TYPES[aiDisclosure];
  if (isNew) {
    const digitalSourceType = sourceType ?? `${IPTC_SOURCE_TYPES}digitalCreation`;
    return actions.map((action, index) => (index === 0 ? { digitalSourceType, ...present(action) } : action));
  }
  if (sourceType === undefined) return actions;
  const last = actions.findLastIndex(
    ({ action, digitalSourceType }) => digitalSourceType === undefined && changesContent(action),
  );
  if (last === -1) return [...actions, { action: 'c2pa.edited', digitalSourceType: sourceType }];
  return actions.map((action, index) =>
    index === last ? { ...action, digitalSourceType: sourceType } : action,
  );
}

function isOfAi(sourceType: string | undefined): boolean {
  const meaning = sourceType === undefined ? undefined : meaningOfSourceType(sourceType);
  return meaning === 'generated' || meaning === 'assisted';
}

function toAction({
  action,
  when,
  softwareAgent,
  parameters,
  ingredients,
  ...said
}: PartsAction): JsonObject {
  const ingredientIds =
    ingredients === undefined || ingredients.length === 0 ? {} : { ingredientIds: ingredients };
  const all: JsonObject = { ...parameters, ...ingredientIds };
  return {
    action,
    ...present({
      when,
      softwareAgent: softwareAgent && toTool(softwareAgent),
      digitalSourceType: said.digitalSourceType,
      description: said.description,
      parameters: Object.keys(all).length === 0 ? undefined : all,
    }),
  };
}

function toTool({ name, version, provider }: z.output<typeof toolSchema>): JsonObject {
  return { name, ...present({ version, [PROVIDER_MEMBER]: provider }) };
}

function toIngredient({ id, cid, title, format, instanceId, relationship }: Parts['ingredients'][number]) {
  const json: JsonObject = {
    label: id,
    relationship,
    ...present({ title, format, instance_id: instanceId }),
  };
  return { json, ...present({ cid }) };
}

function reportFaults(parts: Omit<Parts, 'trainingMining'>, context: z.RefinementCtx): void {
  const report = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  const ids = parts.ingredients.map(({ id }) => id);
  const parents = parts.ingredients.filter(({ relationship }) => relationship === 'parentOf');
  if (new Set(ids).size !== ids.length) report(['ingredients'], 'Two ingredients have the same id');
  if (parents.length > 1)
    report(['ingredients'], 'At most one ingredient can be the earlier version (parentOf)');
  const origins = parts.actions.filter(({ action }) => action === 'c2pa.created' || action === 'c2pa.opened');
  if (origins.length > 1) report(['actions'], 'At most one action says where the content is from');
  const misplaced = parents.length === 0 ? 'c2pa.opened' : 'c2pa.created';
  for (const [index, { action, digitalSourceType, ingredients = [] }] of parts.actions.entries()) {
    if (action === misplaced) {
      const rule =
        parents.length === 0
          ? 'needs an ingredient that is parentOf'
          : 'cannot be said of an earlier version';
      report(['actions', index, 'action'], `${misplaced} ${rule}`);
    }
    if (ingredients.some((id) => !ids.includes(id)))
      report(['actions', index, 'ingredients'], 'Names an ingredient that is not there');
    if (parts.aiDisclosure === null && isOfAi(digitalSourceType)) {
      report(['actions', index, 'digitalSourceType'], 'Says AI, and aiDisclosure does not');
    }
  }
}
