import {
  type Action,
  type Bundle,
  CORRECTION_EXTENSION,
  correctedActions,
  makesContent,
} from '@colophon/model';

/** Returns the extension of an action that corrects the action `actionId`. */
export function toCorrection(actionId: string): Record<typeof CORRECTION_EXTENSION, { actionId: string }> {
  return { [CORRECTION_EXTENSION]: { actionId } };
}

/** Returns the path of the form that corrects an action on a content. */
export function correctionPath(cid: string, actionId: string): string {
  return `/record?${new URLSearchParams({ cid, step: actionId })}`;
}

/**
 * Returns the newest action that made a content. Omits corrected actions: a correction can have an earlier date than
 * the action that it corrects, so the date alone does not show which action is valid.
 */
export function newestStepOf(bundle: Bundle, cid: string): Action | undefined {
  return listNewestSteps(bundle, cid)[0];
}

/** Returns the actions that made a content, newest first. Omits corrected actions, like `newestStepOf`. */
export function listNewestSteps(bundle: Bundle, cid: string): Action[] {
  return listStepsOf(bundle, cid).sort(
    (one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp),
  );
}

/** Returns the ids of the performers of all steps that made a content. An import does not make a content. */
export function makersOf(bundle: Bundle, cid: string): string[] {
  const making = listStepsOf(bundle, cid).filter(({ type }) => makesContent(type));
  return [...new Set(making.map(({ performedBy }) => performedBy))];
}

/** Returns the actions that have a content as an output. Omits actions that a later entry corrects. */
function listStepsOf({ actions, aliases = {} }: Bundle, cid: string): Action[] {
  const corrected = correctedActions(actions, aliases);
  return actions.filter(
    ({ id, outputCids }) => !corrected.has(id) && outputCids.some((name) => (aliases[name] ?? name) === cid),
  );
}

/** Returns the names of performers without a valid action in the history: later entries correct all their actions. */
export function namesOfReplaced({ actions, entities, aliases = {} }: Bundle): string[] {
  const corrected = correctedActions(actions, aliases);
  const valid = new Set(actions.filter(({ id }) => !corrected.has(id)).map(({ performedBy }) => performedBy));
  const replaced = new Set(
    actions.map(({ performedBy }) => performedBy).filter((performer) => !valid.has(performer)),
  );
  return entities.flatMap(({ id, name }) => (replaced.has(id) && name !== undefined ? [name] : []));
}

/**
 * Returns the history without some credits: those for actions that are corrected in `making` and are not in the
 * history. If it removes a credit, it also removes the entities that then have neither a credit nor an action in the
 * history. `making`: the actions that made the content, and their corrections.
 */
export function omitReplaced(bundle: Bundle, making: Pick<Bundle, 'actions' | 'aliases'>): Bundle {
  const corrected = correctedActions(making.actions, making.aliases);
  for (const { id } of bundle.actions) corrected.delete(id);
  const attributions = bundle.attributions.filter(({ actionId = '' }) => !corrected.has(actionId));
  if (attributions.length === bundle.attributions.length) return bundle;
  const named = new Set([
    ...attributions.map(({ entityId }) => entityId),
    ...bundle.actions.map(({ performedBy }) => performedBy),
  ]);
  return { ...bundle, attributions, entities: bundle.entities.filter(({ id }) => named.has(id)) };
}
