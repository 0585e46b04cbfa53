/** Explanations of fields whose names do not show their meaning. */
const MEANINGS = new Map([
  ['aliases', 'identifiers of the same content'],
  ['resources', 'the descriptions of contents'],
  ['recordedAt', 'times of recording'],
  ['onchain', 'anchors'],
]);
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 40;

/** The names of the members come from the bundle, and can contain any characters. */
export function describeSignedOnly(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => {
    const meaning = MEANINGS.get(name);
    return meaning === undefined ? toPrintable(name) : `${name} (${meaning})`;
  });
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `members that only the service signed: ${shown.join(', ')}${rest}`;
}

function toPrintable(name: string): string {
  if (/^[\w-]+$/.test(name) && name.length <= MAX_NAME_LENGTH) return name;
  const toEscape = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(name.slice(0, MAX_NAME_LENGTH)).replace(/[^ -~]/g, toEscape);
}
