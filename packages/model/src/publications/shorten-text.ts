/**
 * Returns a text of at most `maxLength` UTF-16 code units. A truncated text ends with `…`, and has no half of a
 * surrogate pair at its end.
 */
export function shortenText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
