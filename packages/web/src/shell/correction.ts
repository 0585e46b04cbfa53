import { type Action, type Bundle, CORRECTION_EXTENSION, correctedActions } from '@colophon/model';

/** Returns the extension of an action that corrects the action `actionId`. */
export function toCorrection(actionId: string): Record<typeof CORRECTION_EXTENSION, { actionId: string }> {
  return { [CORRECTION_EXTENSION]: { actionId } };
}

/** Returns the path of the form that corrects an action on a content. */
export function correctionPath(cid: string, actionId: string): string {
  return `/record?${new URLSearchParams({ cid, step: actionId })}`;
}

/**
 * Returns the newest action that made a content. Omits actions that a later entry corrects, because a correction can
 * have an earlier date than the action that it corrects.
 */
export function newestStepOf({ actions, aliases = {} }: Bundle, cid: string): Action | undefined {
  const corrected = correctedActions(actions, aliases);
  const making = actions.filter(
    ({ id, outputCids }) => !corrected.has(id) && outputCids.some((name) => (aliases[name] ?? name) === cid),
  );
  return making.reduce<Action | undefined>(
    (newest, action) =>
      newest === undefined || Date.parse(action.timestamp) > Date.parse(newest.timestamp) ? action : newest,
    undefined,
  );
}
