import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import {
  lenientInstant,
  lenientLabel,
  lenientList,
  lenientObject,
  lenientText,
  readUpTo,
} from './lenient-fields.js';
import { readTool, type Tool } from './tool.js';

/**
 * The parameter with the type of the recorded action, written when the name of the C2PA action does not determine it.
 */
export const TYPE_PARAMETER = 'org.colophon.type';

/** An action in the assertion `c2pa.actions` or `c2pa.actions.v2`. */
export interface StoredAction {
  readonly action: string;
  readonly when: string | undefined;
  readonly softwareAgent: Tool | undefined;
  readonly digitalSourceType: string | undefined;
  readonly description: string | undefined;
  readonly parameters: JsonObject | undefined;
  /** Labels of ingredient assertions. */
  readonly ingredients: readonly string[];
  /** False if the action named more ingredients than the limits allow. */
  readonly hasAllIngredients: boolean;
}

/** Entries of one action that the parser reads. */
const MAX_NAMED_INGREDIENTS = 1000;
/** Labels of all actions of a manifest together. */
const MAX_NAMED_TOGETHER = 2000;

const hashedUri = z.object({ url: z.string().max(2000) });

/** Version 1 of actions has `ingredient`, version 2 has `ingredients` (C2PA 2.3 §18.15). */
const rawParameters = z.object({ ingredient: z.unknown().optional(), ingredients: lenientList });

const rawAction = z.object({
  action: lenientLabel,
  when: lenientInstant,
  softwareAgent: z.unknown().optional(),
  softwareAgentIndex: z.int().nonnegative().optional().catch(undefined),
  digitalSourceType: lenientText(200),
  description: lenientText(),
  parameters: z.unknown().optional(),
});

const rawAssertion = z.object({ actions: lenientList, softwareAgents: lenientList });

/**
 * Together, the actions name at most 2000 ingredients. This limits the records, because each action lists its
 * ingredients again.
 */
export function readActions(
  assertions: unknown[],
  limit: number,
): { actions: StoredAction[]; isComplete: boolean } {
  const read = readUpTo(entriesOf(assertions), limit, ({ item, agents }) => readAction(item, agents));
  let names = 0;
  const actions = read.items.map((action) => {
    const ingredients = action.ingredients.slice(0, MAX_NAMED_TOGETHER - names);
    const hasAllIngredients = action.hasAllIngredients && ingredients.length === action.ingredients.length;
    names += ingredients.length;
    return { ...action, ingredients, hasAllIngredients };
  });
  const isComplete = read.isComplete && actions.every(({ hasAllIngredients }) => hasAllIngredients);
  return { actions, isComplete };
}

/** Each entry has the software agents of its assertion. */
function* entriesOf(assertions: unknown[]): Generator<{ item: unknown; agents: unknown[] }> {
  for (const assertion of assertions) {
    const { actions = [], softwareAgents: agents = [] } = rawAssertion.safeParse(assertion).data ?? {};
    for (const item of actions) yield { item, agents };
  }
}

function readAction(json: unknown, agents: unknown[]): StoredAction | undefined {
  const raw = rawAction.safeParse(json).data;
  if (raw?.action === undefined) return undefined;
  const agent = raw.softwareAgent ?? agents[raw.softwareAgentIndex ?? -1];
  return {
    action: raw.action,
    when: raw.when,
    softwareAgent: readTool(agent),
    digitalSourceType: raw.digitalSourceType,
    description: raw.description,
    parameters: lenientObject.parse(raw.parameters),
    ...readIngredientLabels(raw.parameters),
  };
}

/** Reads labels from `self#jumbf=c2pa.assertions/<label>`, with or without the manifest before `c2pa.assertions`. */
function readIngredientLabels(parameters: unknown): Pick<StoredAction, 'ingredients' | 'hasAllIngredients'> {
  const raw = rawParameters.safeParse(parameters).data;
  const listed = raw?.ingredients ?? [];
  const uris = [raw?.ingredient, ...listed.slice(0, MAX_NAMED_INGREDIENTS)];
  const labels = uris.flatMap((uri) => {
    const { url } = hashedUri.safeParse(uri).data ?? {};
    return url?.startsWith('self#jumbf=') ? [url.slice(url.lastIndexOf('/') + 1)] : [];
  });
  return { ingredients: [...new Set(labels)], hasAllIngredients: listed.length <= MAX_NAMED_INGREDIENTS };
}
