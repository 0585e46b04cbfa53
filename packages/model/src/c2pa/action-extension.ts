import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import type { AssetCids } from './asset-cids.js';
import { lenientInstant, lenientLabel, lenientObject, lenientText } from './lenient-fields.js';
import { present } from './present.js';
import type { StoredAction } from './stored-action.js';
import type { StoredIngredient } from './stored-manifest.js';

/**
 * Key of the extension for an action from a manifest. `action`, `when`, `softwareAgent {name, version?, provider?}`,
 * `digitalSourceType`, `description` and `parameters` are values from the file. `ingredients` has the `cid`, `title`,
 * `format`, `instanceId` and `relationship` of each input. `toManifestParts` creates the C2PA action again from this
 * extension.
 */
export const C2PA_ACTION_EXTENSION = 'ext:c2pa:action@1.0.0';

export function toActionExtension(
  assets: AssetCids,
  stored: StoredAction,
  ingredients: readonly StoredIngredient[],
): JsonObject {
  const { action, when, softwareAgent, digitalSourceType, description, parameters } = stored;
  return {
    action,
    ...present({
      when,
      softwareAgent: softwareAgent && { ...softwareAgent },
      digitalSourceType,
      description,
    }),
    ...present({ parameters }),
    ingredients: ingredients.map((ingredient) => {
      const { title, format, instanceId, relationship } = ingredient;
      return {
        cid: assets.ofIngredient(ingredient),
        ...present({ title, format, instanceId, relationship }),
      };
    }),
  };
}

const agentSchema = z.object({ name: z.string(), version: lenientText(128), provider: lenientText(256) });

const ingredientSchema = z.object({
  cid: z.string(),
  title: lenientText(),
  format: lenientText(128),
  instanceId: lenientText(512),
  relationship: z.enum(['parentOf', 'componentOf', 'inputTo']).optional().catch(undefined),
});

const actionExtensionSchema = z.object({
  action: lenientLabel,
  when: lenientInstant,
  softwareAgent: agentSchema.optional().catch(undefined),
  digitalSourceType: lenientText(200),
  description: lenientText(),
  parameters: lenientObject,
  ingredients: z.array(ingredientSchema).catch([]),
});

/** Leaves out members of the wrong type. Undefined when the extension is absent or is not an object. */
export function readActionExtension(extensions: Record<string, unknown>) {
  const extension = extensions[C2PA_ACTION_EXTENSION];
  return extension === undefined ? undefined : actionExtensionSchema.safeParse(extension).data;
}
