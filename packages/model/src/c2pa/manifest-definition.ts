import type { JsonObject } from '../canonical-json.js';
import { changesContent } from './action-type.js';
import { IPTC_SOURCE_TYPES, isSourceTypeOfAi } from './digital-source-type.js';
import { type ManifestParts, manifestPartsSchema, type ParsedParts } from './manifest-parts.js';
import { present } from './present.js';
import { PROVENANCE_ASSERTION } from './provenance-assertion.js';
import type { StoredSoftBinding } from './stored-soft-binding.js';
import { PROVIDER_MEMBER, type Tool } from './tool.js';
import { toTrainingMining } from './training-mining.js';

type PartsAction = ParsedParts['actions'][number];

/** The input of the builder of c2pa-rs. */
export interface ManifestDefinition {
  /** The argument of `Builder.fromJson`. */
  readonly definition: JsonObject;
  /**
   * The ingredients of the manifest, in order. Pass an ingredient with bytes to `addIngredientFromBlob`, which also
   * adds the ingredient's own manifest. Add an ingredient without bytes to `definition.ingredients`.
   */
  readonly ingredients: readonly { readonly cid?: string; readonly json: JsonObject }[];
}

/** `when`: default time of the actions. `watermark`, `fingerprint`: soft bindings. */
export interface ManifestDefinitionOptions {
  readonly when?: string;
  readonly watermark?: StoredSoftBinding | undefined;
  readonly fingerprint?: StoredSoftBinding | undefined;
}

/**
 * Creates the definition of a manifest for the builder of c2pa-rs, claim version 2 (C2PA 2.3 §10.2).
 *
 * - With a `parentOf` ingredient (an earlier version), the first action is `c2pa.opened` with this ingredient.
 *   Otherwise the first action is `c2pa.created` (C2PA 2.3 §18.15). The function adds the first action if the caller
 *   did not send it.
 * - If no action has a source type of AI, `aiDisclosure` becomes a digital source type. `ai_generated` becomes
 *   `trainedAlgorithmicMedia`, and `ai_assisted` becomes `compositeWithTrainedAlgorithmicMedia`.
 * - Without an earlier version, `c2pa.created` keeps the source type that the caller sent for it. If the caller sent
 *   none, it gets the source type of `aiDisclosure`, or `digitalCreation` if `aiDisclosure` adds no source type.
 * - With an earlier version, the source type of `aiDisclosure` goes to the last action that changes the content and has
 *   no source type. The function selects the last such action, because a source type describes the content after its
 *   action. If no action qualifies, the function adds `c2pa.edited` with the source type of `aiDisclosure`. If
 *   `aiDisclosure` is null, no source type is added.
 * - `watermark` adds the action `c2pa.watermarked.bound` at the end, and a soft binding (C2PA 2.3 §18.10).
 * - `fingerprint` adds only a soft binding and no action, because the content does not change.
 * - Each action has the caller's `when`, or else `when` of the options. Without either, the action has no time.
 * - `org.colophon.provenance` contains `aiDisclosure` and `metadata`. The function adds `cawg.training-mining` if
 *   `trainingMining` is present.
 *
 * Throws a ZodError for parts that do not match `manifestPartsSchema`. The schema rejects parts that would make the
 * manifest invalid. It also rejects a source type of AI when `aiDisclosure` is null.
 *
 * @example
 * const { definition } = toManifestDefinition({ generator: 'Studio', aiDisclosure: 'ai_generated' });
 * definition.claim_generator_info; // => [{ name: 'Studio' }]
 * definition.assertions[0].data.actions.map(({ action }) => action); // => ['c2pa.created']
 */
export function toManifestDefinition(
  input: ManifestParts,
  { when, watermark, fingerprint }: ManifestDefinitionOptions = {},
): ManifestDefinition {
  const parts = manifestPartsSchema.parse(input);
  const { title, generator, trainingMining } = parts;
  const bound: PartsAction[] = watermark === undefined ? [] : [{ action: 'c2pa.watermarked.bound' }];
  const actions = [...discloseAi(withOrigin(parts), parts), ...bound].map((action) => ({
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
      ...[watermark, fingerprint].flatMap((binding) =>
        binding === undefined ? [] : [toSoftBinding(binding)],
      ),
    ],
  };
  return { definition, ingredients: parts.ingredients.map((ingredient) => toIngredient(ingredient)) };
}

/** The binding covers the whole content, so its scope is empty. */
function toSoftBinding({ alg, value }: StoredSoftBinding): JsonObject {
  return { label: 'c2pa.soft-binding', data: { alg, blocks: [{ scope: {}, value }], pad: '' } };
}

/** The first action states the origin of the content. The function adds this action if it is missing. */
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
