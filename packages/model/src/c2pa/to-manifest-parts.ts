import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { C2PA_EXTENSION } from '../extensions/c2pa.js';
import type { Bundle } from '../records/bundle.js';
import { readActionExtension } from './action-extension.js';
import { isRecordedType, OWN_ACTION, toActionName, toActionType } from './action-type.js';
import type { ActionDraft, BundleDraft, EntityDraft } from './bundle-draft.js';
import { lenientObject, lenientText } from './lenient-fields.js';
import { isActionName, type ManifestParts } from './manifest-parts.js';
import { present } from './present.js';
import { aiDisclosureSchema } from './provenance-assertion.js';
import { TYPE_PARAMETER } from './stored-action.js';

type PartsAction = NonNullable<ManifestParts['actions']>[number];
type PartsIngredient = NonNullable<ManifestParts['ingredients']>[number];

/** Values that replace or supplement the values from the bundle. */
export type ManifestPartsOptions = Partial<Omit<ManifestParts, 'actions' | 'ingredients'>>;

/** The members that describe an imported manifest of this content. */
const resourceExtensionSchema = z.object({
  title: lenientText(),
  claimGenerator: lenientText(256),
  claimGeneratorVersion: lenientText(128),
  aiDisclosure: aiDisclosureSchema.optional().catch(undefined),
  metadata: lenientObject,
});

/**
 * Returns the parts of a manifest for the bundle's own content (`bundle.cid`): the actions with this content as output,
 * and their inputs as ingredients. The history of the inputs is left out, because the inputs' own manifests contain it.
 * People are left out, since C2PA stores them only as a signed identity. docs/guides/c2pa-conversion.md lists the other
 * omissions.
 *
 * The first rule that applies determines the relationship of an input:
 *
 * - The earlier version of the content is `parentOf`. At most one input is the earlier version: the first one that is
 *   `parentOf` in an imported manifest. If there is none, and no action creates or generates the content, the earlier
 *   version is the first input of the first `transform` action that was not imported from a manifest.
 * - An input in an imported manifest keeps any relationship other than `parentOf`.
 * - Inputs of `create` and `generate` are `inputTo`.
 * - All other inputs are `componentOf`.
 *
 * @example
 * const bundle = { cid: 'x', entities: [], actions: [], attributions: [], resources: [], complete: true };
 * toManifestParts(bundle, { generator: 'Studio' }); // => { generator: 'Studio', aiDisclosure: null, actions: [], ingredients: [] }
 */
export function toManifestParts(
  bundle: Bundle | BundleDraft,
  options: ManifestPartsOptions = {},
): ManifestParts {
  const { cid, resources, entities }: Pick<BundleDraft, 'cid' | 'resources' | 'entities'> = bundle;
  const extensions = resources.find((resource) => resource.cid === cid)?.extensions;
  const said = resourceExtensionSchema.safeParse(extensions?.[C2PA_EXTENSION]).data;
  const making = canonicalActions(bundle).filter(({ action }) => action.outputCids.includes(cid));
  const ingredients = readIngredients(making);
  const names = nameActions(making, ingredients);
  const performers = new Map(entities.map((entity) => [entity.id, entity]));
  const { title = said?.title, metadata = said?.metadata, trainingMining } = options;
  const inferred = said?.aiDisclosure ?? disclosureOf(making, performers);
  const aiDisclosure = options.aiDisclosure === undefined ? inferred : options.aiDisclosure;
  return {
    generator: options.generator ?? generatorOf(said),
    aiDisclosure,
    actions: making.map((made, index) => ({
      ...toPartsAction(made, names[index] ?? OWN_ACTION, aiDisclosure),
      ...present({ softwareAgent: toAgent(made, performers) }),
      ...toIngredientIds(made, ingredients),
    })),
    ingredients: [...ingredients.values()],
    ...present({ title, metadata, trainingMining }),
  };
}

/** `said`: the action in an imported manifest. */
interface Made {
  readonly action: ActionDraft;
  readonly said: ReturnType<typeof readActionExtension>;
}

type Ingredients = ReadonlyMap<string, PartsIngredient>;
type Performers = ReadonlyMap<string, EntityDraft>;

function canonicalActions(bundle: Bundle | BundleDraft): Made[] {
  const aliases = new Map(Object.entries('aliases' in bundle ? (bundle.aliases ?? {}) : {}));
  const canonical = (cids: string[]) => [...new Set(cids.map((cid) => aliases.get(cid) ?? cid))];
  const actions: ActionDraft[] = bundle.actions;
  return actions.map((action) => ({
    action: { ...action, inputCids: canonical(action.inputCids), outputCids: canonical(action.outputCids) },
    said: readActionExtension(action.extensions),
  }));
}

function generatorOf(said: z.output<typeof resourceExtensionSchema> | undefined): ManifestParts['generator'] {
  if (said?.claimGenerator === undefined) return 'Colophon';
  return { name: said.claimGenerator, ...present({ version: said.claimGeneratorVersion }) };
}

function disclosureOf(making: readonly Made[], performers: Performers): ManifestParts['aiDisclosure'] {
  if (making.some(({ action }) => action.type === 'generate')) return 'ai_generated';
  const isByAi = ({ action }: Made) =>
    action.aiTool !== undefined || performers.get(action.performedBy)?.role === 'ai';
  return making.some(isByAi) ? 'ai_assisted' : null;
}

/**
 * Maps the CID of an input to its ingredient. The first action that uses an input determines its ingredient. At most
 * one input is the earlier version (`parentOf`).
 */
function readIngredients(making: readonly Made[]): Map<string, PartsIngredient> {
  const ingredients = new Map<string, PartsIngredient>();
  const parentCid = parentOf(making);
  for (const { action, said } of making) {
    const usual = ORIGIN_TYPES.includes(action.type) ? 'inputTo' : 'componentOf';
    for (const cid of action.inputCids.filter((input) => !ingredients.has(input))) {
      const own = said?.ingredients.find((ingredient) => ingredient.cid === cid);
      const part = own === undefined || isParent(own) ? usual : (own.relationship ?? usual);
      const { title, format, instanceId } = own ?? {};
      ingredients.set(cid, {
        id: `i${ingredients.size}`,
        cid,
        relationship: cid === parentCid ? 'parentOf' : part,
        ...present({ title, format, instanceId }),
      });
    }
  }
  return ingredients;
}

/**
 * Returns the first input that is `parentOf` in an imported manifest. Without one, and if no action creates or
 * generates the content, returns the first input of the first `transform` action that was not imported.
 */
function parentOf(making: readonly Made[]): string | undefined {
  const named = making.flatMap(({ action, said }) =>
    (said?.ingredients ?? []).filter((own) => isParent(own) && action.inputCids.includes(own.cid)),
  );
  if (named[0] !== undefined) return named[0].cid;
  if (making.some(({ action }) => ORIGIN_TYPES.includes(action.type))) return undefined;
  const isUnsaid = ({ action, said }: Made) => said === undefined && action.type === 'transform';
  return making.find(isUnsaid)?.action.inputCids[0];
}

const ORIGIN_TYPES = ['create', 'generate'];

function isParent({ relationship }: { relationship?: string | undefined }): boolean {
  return relationship === 'parentOf';
}

/**
 * At most one action states the origin: `c2pa.opened` if there is an earlier version, and `c2pa.created` if not (C2PA
 * 2.3 §18.15). Other actions with one of these names become `OWN_ACTION`, and so do actions with an invalid name.
 * `c2pa.placed` and `c2pa.removed` become `OWN_ACTION` too, except if the action has inputs and all of them are
 * `componentOf`.
 */
function nameActions(making: readonly Made[], ingredients: Ingredients): string[] {
  const relationshipOf = (cid: string) => ingredients.get(cid)?.relationship;
  const hasParent = [...ingredients.values()].some((ingredient) => isParent(ingredient));
  const names = making.map(({ action, said }) => said?.action ?? toActionName(action.type));
  const origin = names.indexOf(hasParent ? 'c2pa.opened' : 'c2pa.created');
  return names.map((name, index) => {
    const inputs = making[index]?.action.inputCids ?? [];
    const hasComponents = inputs.length > 0 && inputs.every((cid) => relationshipOf(cid) === 'componentOf');
    const isRefused =
      (ORIGIN_NAMES.includes(name) && index !== origin) || (OF_COMPONENTS.includes(name) && !hasComponents);
    return isRefused || !isActionName(name) ? OWN_ACTION : name;
  });
}

const ORIGIN_NAMES = ['c2pa.created', 'c2pa.opened'];
const OF_COMPONENTS = ['c2pa.placed', 'c2pa.removed'];

function toPartsAction(
  { action, said }: Made,
  name: string,
  aiDisclosure: ManifestParts['aiDisclosure'],
): PartsAction {
  const digitalSourceType = said?.digitalSourceType;
  const { ingredient: _, ingredients: __, ingredientIds: ___, ...rest } = said?.parameters ?? {};
  const isYetToDisclose = aiDisclosure === 'ai_generated' && digitalSourceType === undefined;
  const nameType = toActionType({ action: name, digitalSourceType, parameters: rest });
  const isKnownByName = nameType === action.type && !(nameType === 'create' && isYetToDisclose);
  const type = isKnownByName || !isRecordedType(action.type) ? {} : { [TYPE_PARAMETER]: action.type };
  const parameters: JsonObject = { ...rest, ...type };
  return {
    action: name,
    ...present({
      when: said === undefined ? action.timestamp : said.when,
      digitalSourceType,
      description: said?.description,
      parameters: Object.keys(parameters).length === 0 ? undefined : parameters,
    }),
  };
}

/**
 * Of an imported action, returns only its own software agent. Otherwise returns the AI model, or else the software that
 * performed the action.
 */
function toAgent({ action, said }: Made, performers: Performers): PartsAction['softwareAgent'] | undefined {
  if (said !== undefined) return said.softwareAgent && present(said.softwareAgent);
  const { aiTool } = action;
  if (aiTool !== undefined) {
    return { name: aiTool.model, provider: aiTool.provider, ...present({ version: aiTool.version }) };
  }
  const performer = performers.get(action.performedBy);
  const isTool = performer?.role === 'ai' || performer?.role === 'ext:software';
  return isTool ? performer.name : undefined;
}

function toIngredientIds({ action }: Made, ingredients: Ingredients) {
  const ids = action.inputCids.flatMap((cid) => ingredients.get(cid)?.id ?? []);
  return ids.length === 0 ? {} : { ingredients: ids };
}
