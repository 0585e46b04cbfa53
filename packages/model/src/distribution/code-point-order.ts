/**
 * Compares two texts by their Unicode code points, for `sort`. The order does not depend on the language or locale.
 * The operator `<` compares UTF-16 code units, which puts the code points above U+FFFF before U+E000.
 *
 * @example
 * ['b', 'a', 'B'].sort(compareCodePoints); // => ['B', 'a', 'b']
 * ['\u{1F600}', '\uFFFD'].sort(compareCodePoints); // => ['\uFFFD', '\u{1F600}']
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = toRank(a.charCodeAt(at)) - toRank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Surrogates rank above U+E000 to U+FFFF, because they encode code points above U+FFFF. */
function toRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
