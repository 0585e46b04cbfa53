import * as z from 'zod';
import { meaningOfSourceType } from './digital-source-type.js';
import { type StoredAction, TYPE_PARAMETER } from './stored-action.js';

/**
 * Actions that change content: names of C2PA 2.3 §18.15, older C2PA names, and names of the ProvenanceKit extension
 * set.
 */
const TRANSFORMS = new Set(
  [
    ...['addedText', 'adjustedColor', 'changedSpeed', 'color_adjusted', 'color_adjustments', 'converted'],
    ...['cropped', 'deleted', 'drawing', 'dubbed', 'edited', 'edited.metadata', 'enhanced', 'filtered'],
    ...['orientation', 'placed', 'redacted', 'removed', 'repackaged', 'resized', 'resized.proportional'],
    ...['transcoded', 'translated', 'trimmed', 'watermarked', 'watermarked.bound', 'watermarked.unbound'],
  ].map((name) => `c2pa.${name}`),
);

/** Whether an action changes existing content. */
export function changesContent(action: string): boolean {
  return TRANSFORMS.has(action);
}

/**
 * The types of recorded actions that the service accepts from a signed file. Custom types (`ext:...`) are excluded,
 * because anybody can sign a file, and some custom types have an effect in the service, such as a transfer of
 * ownership.
 */
const ownTypeSchema = z.enum(['create', 'reference', 'generate', 'transform', 'aggregate', 'verify']);

/** Whether the service accepts this action type from a signed file. */
export function isRecordedType(type: string): boolean {
  return ownTypeSchema.safeParse(type).success;
}

/**
 * Name of the action in a manifest when no C2PA name fits the recorded action (C2PA 2.3 §6.2, entity-specific
 * namespaces).
 */
export const OWN_ACTION = 'org.colophon.recorded';

const NAME_OF_TYPE: Readonly<Record<string, string>> = {
  create: 'c2pa.created',
  generate: 'c2pa.created',
  transform: 'c2pa.edited',
  aggregate: 'c2pa.placed',
};

/**
 * Returns the action type that the service records for a C2PA action. `c2pa.created` becomes `generate` if its source
 * type states that AI made the content, otherwise `create`. An action that changes content becomes `transform`. Any
 * other action becomes `ext:c2pa:<name>`. If the action has the parameter `TYPE_PARAMETER` with an accepted type, the
 * function returns this type instead. The service writes the parameter into a signed file when the action name does not
 * determine the type.
 */
export function toActionType(
  action: Pick<StoredAction, 'action' | 'digitalSourceType' | 'parameters'>,
): string {
  const { data: own } = ownTypeSchema.safeParse(action.parameters?.[TYPE_PARAMETER]);
  return own ?? typeOfName(action.action, action.digitalSourceType);
}

/**
 * Returns the name of the C2PA action for a recorded type, or `OWN_ACTION` if no C2PA action fits. `toActionType` does
 * not always convert the name back to the original type: `aggregate` becomes `c2pa.placed`, and `c2pa.placed` becomes
 * `transform`.
 */
export function toActionName(type: string): string {
  return (Object.hasOwn(NAME_OF_TYPE, type) ? NAME_OF_TYPE[type] : undefined) ?? OWN_ACTION;
}

function typeOfName(name: string, digitalSourceType = ''): string {
  if (name === 'c2pa.created') {
    return meaningOfSourceType(digitalSourceType) === 'generated' ? 'generate' : 'create';
  }
  if (TRANSFORMS.has(name)) return 'transform';
  const word = name
    .replace(/^c2pa\./, '')
    .replace(/\W/g, '_')
    .slice(0, 100);
  return word === '' ? 'ext:c2pa' : `ext:c2pa:${word}`;
}
