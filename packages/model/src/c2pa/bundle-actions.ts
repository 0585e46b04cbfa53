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

/** A manifest without actions gets one action `c2pa.unknown` when it has ingredients or belongs to the file itself. */
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
 * Returns the ingredients of each action: those that it names, or else the earlier version (`parentOf`), except for
 * `c2pa.created`. Ingredients that no action names go to the first action other than `c2pa.created`, or else to the
 * first action. They go to no action if the parser read only a part of the manifest (`isComplete` is false). An action
 * whose names were cut (`hasAllIngredients` is false) does not get the `parentOf` ingredient.
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

/** Nothing proves that tools with the same name in two manifests are the same tool. */
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
