import * as z from 'zod';

/** Key of the extension of an action that corrects another action. */
export const CORRECTION_EXTENSION = 'ext:correction@1.0.0';

const correctionSchema = z.strictObject({ actionId: z.uuid() });

/**
 * Whether an extension contains only the id of the corrected action. A publication cannot withhold ids of
 * actions, so such an extension reveals no withheld data.
 *
 * @example
 * isCorrectionAlone({ actionId: '0191c7a0-0000-7000-8000-000000000000' }); // => true
 */
export function isCorrectionAlone(extension: unknown): boolean {
  return correctionSchema.safeParse(extension).success;
}

/** The members of an action that decide whether the action corrects another one. */
export interface CorrectingAction {
  id: string;
  outputCids: readonly string[];
  extensions?: Readonly<Record<string, unknown>> | null | undefined;
  recordedAt?: string | null | undefined;
}

/** Returns the id of the action that this action corrects according to its extension; undefined if it names none. */
export function namedCorrection({ extensions }: Pick<CorrectingAction, 'extensions'>): string | undefined {
  if (!extensions || !Object.hasOwn(extensions, CORRECTION_EXTENSION)) return undefined;
  const correction = extensions[CORRECTION_EXTENSION] as { actionId?: unknown } | null;
  return typeof correction?.actionId === 'string' ? correction.actionId : undefined;
}

/**
 * Returns a map from the id of each corrected action to the id of its correction. An action corrects another action of
 * the same history if it names that action in `ext:correction@1.0.0`, was recorded later, and has all outputs of that
 * action. An action without outputs cannot be corrected. A correction can itself be corrected. Only the first
 * correction of an action counts. To correct the action again, name its last correction instead of the action. Ignores
 * a correction of an action that is not in `actions`. If several actions have the same id, only the first of them
 * counts.
 *
 * `actions` are the actions of a bundle, in the order of their recording. If all of them have `recordedAt`, the
 * function sorts them by this time. `aliases` has the canonical CID of each alias, as in a bundle.
 *
 * @example
 * const extensions = { 'ext:correction@1.0.0': { actionId: '1' } };
 * const actions = [{ id: '1', outputCids: ['b'] }, { id: '2', outputCids: ['b'], extensions }];
 * [...findCorrections(actions)]; // => [['1', '2']]
 */
export function findCorrections(
  actions: readonly CorrectingAction[],
  aliases: Readonly<Record<string, string>> = {},
): Map<string, string> {
  const corrections = new Map<string, string>();
  const wanted = new Set(actions.map(namedCorrection).filter((id) => id !== undefined));
  if (wanted.size === 0) return corrections;
  const canonical = (cid: string) => (Object.hasOwn(aliases, cid) ? (aliases[cid] ?? cid) : cid);
  const earlier = new Map<string, readonly string[]>();
  for (const action of inOrder(actions)) {
    if (earlier.has(action.id)) continue;
    const outputs = action.outputCids.map(canonical);
    const named = namedCorrection(action);
    const isCorrection = named !== undefined && !corrections.has(named);
    if (isCorrection && hasAll(outputs, earlier.get(named) ?? [])) corrections.set(named, action.id);
    earlier.set(action.id, outputs);
  }
  return corrections;
}

/** Returns false if `ofAction` is empty. */
function hasAll(outputs: readonly string[], ofAction: readonly string[]): boolean {
  const found = new Set(outputs);
  return ofAction.length > 0 && ofAction.every((cid) => found.has(cid));
}

/**
 * Returns the id of the last correction of an action, from the result of `findCorrections`. For an action without a
 * correction, returns its own id.
 *
 * @example
 * lastCorrection(new Map([['1', '2'], ['2', '3']]), '1'); // => '3'
 */
export function lastCorrection(corrections: ReadonlyMap<string, string>, actionId: string): string {
  let last = actionId;
  for (let next = corrections.get(last); next !== undefined; next = corrections.get(next)) last = next;
  return last;
}

/** Returns the ids of the actions that later actions correct. See `findCorrections`. */
export function correctedActions(
  actions: readonly CorrectingAction[],
  aliases: Readonly<Record<string, string>> = {},
): Set<string> {
  return new Set(findCorrections(actions, aliases).keys());
}

/** Sorts actions by the time of their recording. Actions of the same time stay in the given order. */
function inOrder(actions: readonly CorrectingAction[]): readonly CorrectingAction[] {
  const timed = actions.map((action) => ({ action, at: Date.parse(action.recordedAt ?? '') }));
  if (timed.some(({ at }) => Number.isNaN(at))) return actions;
  return timed.sort((one, other) => one.at - other.at).map(({ action }) => action);
}
