import type { JsonObject } from '../canonical-json.js';
import { changesContent } from './action-type.js';
import { IPTC_SOURCE_TYPES, isSourceTypeOfAi } from './digital-source-type.js';
import { type ManifestParts, manifestPartsSchema, type ParsedParts } from './manifest-parts.js';
import { present } from './present.js';
import { PROVENANCE_ASSERTION } from './provenance-assertion.js';
import { PROVIDER_MEMBER, type Tool } from './tool.js';
import { toTrainingMining } from './training-mining.js';

type PartsAction = ParsedParts['actions'][number];

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
 * The definition of a manifest for c2pa-rs's builder, claim version 2 (C2PA 2.3 §10.2).
 *
 * - The first action is `c2pa.opened` with the earlier version when there is a `parentOf` ingredient, else
 *   `c2pa.created` (C2PA 2.3 §18.15); it is added when the caller does not name it.
 * - `ai_generated` is said as `trainedAlgorithmicMedia`, `ai_assisted` as `compositeWithTrainedAlgorithmicMedia` and
 *   null as `digitalCreation`, where no action says so already: on `c2pa.created`, or on the last action that changes
 *   an earlier version, since a source type is of the content as the action leaves it. When there is no such action,
 *   `c2pa.edited` is added to carry it. Null adds nothing to an earlier version.
 * - Each action says `when`: as the caller states it, else `when` of the terms. Without either, that action has none.
 * - `org.colophon.provenance` carries `aiDisclosure` and `metadata`; `cawg.training-mining` is there when asked for.
 *
 * Throws a ZodError for parts that are not of `manifestPartsSchema`: among its rules, those by which every
 * validator would read the signed file as invalid, and no source type of AI where `aiDisclosure` is null.
 *
 * @example
 * const { definition } = toManifestDefinition({ generator: 'Studio', aiDisclosure: 'ai_generated' });
 * definition.claim_generator_info; // => [{ name: 'Studio' }]
 * definition.assertions[0].data.actions.map(({ action }) => action); // => ['c2pa.created']
 */
export function toManifestDefinition(
  input: ManifestParts,
  { when }: { readonly when?: string } = {},
): ManifestDefinition {
  const parts = manifestPartsSchema.parse(input);
  const { title, generator, trainingMining } = parts;
  const actions = discloseAi(withOrigin(parts), parts).map((action) => ({
    ...action,
    ...present({ when: action.when ?? when }),
  }));
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
function withOrigin({ actions, ingredients }: ParsedParts): PartsAction[] {
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

function discloseAi(actions: PartsAction[], { aiDisclosure }: ParsedParts): PartsAction[] {
  const isNew = actions[0]?.action === 'c2pa.created';
  const isSaid = actions.some(({ digitalSourceType }) => isSourceTypeOfAi(digitalSourceType));
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

function toTool({ name, version, provider }: Tool): JsonObject {
  return { name, ...present({ version, [PROVIDER_MEMBER]: provider }) };
}

function toIngredient({
  id,
  cid,
  title,
  format,
  instanceId,
  relationship,
}: ParsedParts['ingredients'][number]) {
  const json: JsonObject = {
    label: id,
    relationship,
    ...present({ title, format, instance_id: instanceId }),
  };
  return { json, ...present({ cid }) };
}
