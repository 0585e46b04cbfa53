/** `maxLength` is in UTF-16 code units. A truncated text ends with `…`. The cut never separates a surrogate pair. */
export function shortenText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const MAX_NAMES = 3;

/**
 * Returns the names for a sentence about the makers of a content: the first 3 different names, and the number of the
 * others. `further`: the number of makers that `names` lacks.
 *
 * @example
 * shortenNames(['Ann', 'Bo', 'Ann', 'Cy', 'Di'], 1); // => { shown: ['Ann', 'Bo', 'Cy'], others: 2 }
 */
export function shortenNames(names: readonly string[], further = 0): { shown: string[]; others: number } {
  const different = [...new Set(names)];
  const shown = different.slice(0, MAX_NAMES);
  return { shown, others: different.length - shown.length + further };
}
