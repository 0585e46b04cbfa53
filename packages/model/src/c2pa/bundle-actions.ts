import { C2PA_ACTION_EXTENSION, toActionExtension } from './action-extension.js';
import { toActionType } from './action-type.js';
import type { BundleContext } from './bundle-context.js';
import type { ActionDraft, AttributionDraft, EntityDraft } from './bundle-draft.js';
import { derivedEntityId, derivedUuid } from './derived-id.js';
import { isSourceTypeOfAi } from './digital-source-type.js';
import { present } from './present.js';
import { signerEntity } from './signer-entity.js';
import type { StoredAction } from './stored-action.js';
import type { StoredIngredient, StoredManifest } from './stored-manifest.js';
import { type Tool, toolText } from './tool.js';

/** An action, its performer, and the attribution that connects them. */
export interface Performance {
  readonly action: ActionDraft;
  readonly entity: EntityDraft;
  readonly attribution: AttributionDraft;
}

/** The action of a manifest that states no action (C2PA 2.3 §18.15). */
const UNKNOWN: StoredAction = {
  action: 'c2pa.unknown',
  when: undefined,
  softwareAgent: undefined,
  digitalSourceType: undefined,
  description: undefined,
  parameters: undefined,
  ingredients: [],
  hasAllIngredients: true,
};

/**
 * Returns the actions of a manifest in their order. A manifest without actions gets one action `c2pa.unknown` when
 * it has ingredients or belongs to the file itself.
 */
export function readPerformances(context: BundleContext, manifest: StoredManifest): Performance[] {
  const isUnsaid =
    manifest.actions.length === 0 && (manifest.ingredients.length > 0 || manifest === context.store.active);
  const actions = isUnsaid ? [UNKNOWN] : manifest.actions;
  const used = ingredientsOfActions({ ...manifest, actions });
  return actions.map((stored, index) => {
    const origin = [context.options.fileCid, manifest.label, index] as const;
    const entity = performerOf(context, manifest, stored);
    const inputs = [...new Set(used[index])];
    const action = {
      ...toDraft(context, manifest, stored),
      id: derivedUuid('action', origin),
      performedBy: entity.id,
      inputCids: [...new Set(inputs.map((ingredient) => context.assets.ofIngredient(ingredient)))],
      extensions: { [C2PA_ACTION_EXTENSION]: toActionExtension(context.assets, stored, inputs) },
    };
    const isOrigin = action.type === 'create' || action.type === 'generate';
    const attribution = {
      id: derivedUuid('attribution', origin),
      entityId: entity.id,
      actionId: action.id,
      role: isOrigin ? 'creator' : 'contributor',
    };
    return { action, entity, attribution };
  });
}

function toDraft({ assets, options }: BundleContext, manifest: StoredManifest, stored: StoredAction) {
  const timestamp = stored.when ?? manifest.signature?.time ?? options.now;
  return {
    type: toActionType(stored),
    outputCids: [assets.ofManifest(manifest)],
    ...present({ aiTool: aiToolOf(stored), timestamp }),
  };
}

function aiToolOf({ softwareAgent }: StoredAction) {
  if (softwareAgent?.provider === undefined) return undefined;
  const { provider, name: model, version } = softwareAgent;
  return present({ provider, model, version });
}

/**
 * Returns the ingredients of each action. An action gets the ingredients that it names. An action that names no
 * ingredient of the manifest gets the `parentOf` ingredient, which is the earlier version. `c2pa.created` does not get
 * this ingredient. Ingredients that no action names go to the first action that is not `c2pa.created`. If all actions
 * are `c2pa.created`, these ingredients go to the first action. If the manifest exceeds a limit of the parser
 * (`isComplete` is false), ingredients that no action names go to no action. An action can name more ingredients than
 * the parser reads (`hasAllIngredients` is false). Such an action gets the named ingredients that the parser read. If
 * there are none, it does not get the `parentOf` ingredient instead.
 */
function ingredientsOfActions({
  actions,
  ingredients,
  isComplete,
}: Pick<StoredManifest, 'actions' | 'ingredients' | 'isComplete'>): StoredIngredient[][] {
  const named = new Set(actions.flatMap((action) => action.ingredients));
  const parent = ingredients.find(({ relationship }) => relationship === 'parentOf');
  const byLabel = new Map(ingredients.map((ingredient) => [ingredient.label, ingredient]));
  const heir = Math.max(
    0,
    actions.findIndex(({ action }) => action !== 'c2pa.created'),
  );
  const orphans = isComplete
    ? ingredients.filter(({ label }) => label === undefined || !named.has(label))
    : [];
  return actions.map((action, index) => {
    const own = action.ingredients.flatMap((label) => byLabel.get(label) ?? []);
    const inherits = action.action !== 'c2pa.created' && action.hasAllIngredients;
    const usual = parent !== undefined && inherits ? [parent] : [];
    return [...(own.length > 0 ? own : usual), ...(index === heir ? orphans : [])];
  });
}

function performerOf(context: BundleContext, manifest: StoredManifest, action: StoredAction): EntityDraft {
  const tool = action.softwareAgent ?? manifest.generator;
  if (tool !== undefined)
    return toolEntity(context, manifest, { tool, isAi: isSourceTypeOfAi(action.digitalSourceType) });
  return (
    signerEntity(context, manifest) ??
    toolEntity(context, manifest, { isAi: isSourceTypeOfAi(action.digitalSourceType) })
  );
}

/**
 * Tools with the same name in two manifests become two entities, because nothing proves that they are the same tool.
 */
function toolEntity(
  { options }: BundleContext,
  { label }: StoredManifest,
  { tool, isAi }: { tool?: Tool; isAi: boolean },
): EntityDraft {
  const name = tool === undefined ? undefined : toolText(tool);
  const role = isAi ? 'ai' : 'ext:software';
  const id = derivedEntityId('tool', [options.fileCid, label, role, name ?? '']);
  return { id, role, ...present({ name }) };
}
