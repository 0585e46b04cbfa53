import { type Action, type Bundle, CORRECTION_EXTENSION } from '@colophon/model';

/** Returns the extension of an action that corrects the action `actionId`. */
export function toCorrection(actionId: string): Record<typeof CORRECTION_EXTENSION, { actionId: string }> {
  return { [CORRECTION_EXTENSION]: { actionId } };
}

/** Returns the id of the action that an action corrects; undefined if it corrects none. */
export function correctedActionOf({ extensions }: Pick<Action, 'extensions'>): string | undefined {
  const correction = extensions[CORRECTION_EXTENSION] as { actionId?: unknown } | null | undefined;
  return typeof correction?.actionId === 'string' ? correction.actionId : undefined;
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
  const making = actions.filter(({ outputCids }) =>
    outputCids.some((name) => (aliases[name] ?? name) === cid),
  );
  const corrected = new Set(making.map(correctedActionOf));
  const valid = making.filter(({ id }) => !corrected.has(id));
  return (valid.length === 0 ? making : valid).reduce<Action | undefined>(
    (newest, action) =>
      newest === undefined || Date.parse(action.timestamp) > Date.parse(newest.timestamp) ? action : newest,
    undefined,
  );
}
