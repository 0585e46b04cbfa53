import * as z from 'zod';
import { meaningOfSourceType } from './digital-source-type.js';
import { type StoredAction, TYPE_PARAMETER } from './stored-action.js';

/** Names of C2PA 2.3 §18.15, older C2PA names, and names of the ProvenanceKit extension set. */
const TRANSFORMS = new Set(
  [
    ...['addedText', 'adjustedColor', 'changedSpeed', 'color_adjusted', 'color_adjustments', 'converted'],
    ...['cropped', 'deleted', 'drawing', 'dubbed', 'edited', 'edited.metadata', 'enhanced', 'filtered'],
    ...['orientation', 'placed', 'redacted', 'removed', 'repackaged', 'resized', 'resized.proportional'],
    ...['transcoded', 'translated', 'trimmed', 'watermarked', 'watermarked.bound', 'watermarked.unbound'],
  ].map((name) => `c2pa.${name}`),
);

export function changesContent(action: string): boolean {
  return TRANSFORMS.has(action);
}

/**
 * The types that the service accepts from a signed file. Custom types (`ext:...`) are excluded: anybody can sign a
 * file, and some custom types have an effect, such as a transfer of ownership.
 */
const ownTypeSchema = z.enum(['create', 'reference', 'generate', 'transform', 'aggregate', 'verify']);

export function isRecordedType(type: string): boolean {
  return ownTypeSchema.safeParse(type).success;
}

/** The action name when no C2PA name fits (C2PA 2.3 §6.2, entity-specific namespaces). */
export const OWN_ACTION = 'org.colophon.recorded';

const NAME_OF_TYPE: Readonly<Record<string, string>> = {
  create: 'c2pa.created',
  generate: 'c2pa.created',
  transform: 'c2pa.edited',
  aggregate: 'c2pa.placed',
};

/**
 * An accepted type in the parameter `TYPE_PARAMETER` has priority. Otherwise, `c2pa.created` becomes `generate` (made
 * by AI) or `create`, a change becomes `transform`, and any other action becomes `ext:c2pa:<name>`.
 */
export function toActionType(
  action: Pick<StoredAction, 'action' | 'digitalSourceType' | 'parameters'>,
): string {
  const { data: own } = ownTypeSchema.safeParse(action.parameters?.[TYPE_PARAMETER]);
  return own ?? typeOfName(action.action, action.digitalSourceType);
}

/**
 * This function is not always the inverse of `toActionType`: `aggregate` becomes `c2pa.placed`, and `c2pa.placed`
 * becomes `transform`.
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
