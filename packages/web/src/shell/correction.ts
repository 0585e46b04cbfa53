import {
  type Action,
  type Bundle,
  CORRECTION_EXTENSION,
  correctedActions,
  makesContent,
} from '@colophon/model';

export function toCorrection(actionId: string): Record<typeof CORRECTION_EXTENSION, { actionId: string }> {
  return { [CORRECTION_EXTENSION]: { actionId } };
}

export function correctionPath(cid: string, actionId: string): string {
  return `/record?${new URLSearchParams({ cid, step: actionId })}`;
}

/**
 * Returns the newest uncorrected action that made a content. The date alone is not enough, because a correction can be
 * earlier.
 */
export function newestStepOf(bundle: Bundle, cid: string): Action | undefined {
  return listNewestSteps(bundle, cid)[0];
}

/** Newest first. Omits corrected actions. */
export function listNewestSteps(bundle: Bundle, cid: string): Action[] {
  return listStepsOf(bundle, cid).sort(
    (one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp),
  );
}

/** An import does not make a content. */
export function makersOf(bundle: Bundle, cid: string): string[] {
  const making = listStepsOf(bundle, cid).filter(({ type }) => makesContent(type));
  return [...new Set(making.map(({ performedBy }) => performedBy))];
}

/** Omits corrected actions. */
function listStepsOf({ actions, aliases = {} }: Bundle, cid: string): Action[] {
  const corrected = correctedActions(actions, aliases);
  return actions.filter(
    ({ id, outputCids }) => !corrected.has(id) && outputCids.some((name) => (aliases[name] ?? name) === cid),
  );
}

/** Names performers whose actions are all corrected. */
export function namesOfReplaced({ actions, entities, aliases = {} }: Bundle): string[] {
  const corrected = correctedActions(actions, aliases);
  const valid = new Set(actions.filter(({ id }) => !corrected.has(id)).map(({ performedBy }) => performedBy));
  const replaced = new Set(
    actions.map(({ performedBy }) => performedBy).filter((performer) => !valid.has(performer)),
  );
  return entities.flatMap(({ id, name }) => (replaced.has(id) && name !== undefined ? [name] : []));
}

/**
 * Omits credits for actions that are corrected in `making` and absent from the history, and then entities without a
 * credit or action. `making`: the actions that made the content, and their corrections.
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
