/** Documented paths, such as `/v1/entity/:id`, with their methods. */
export type Paths = ReadonlyMap<string, ReadonlySet<string>>;

const MAX_NEAR = 3;
/** Maximum number of changed characters in a near path. */
const MAX_EDITS = 3;
/** A different method counts as this number of changed characters. */
const METHOD_EDITS = 2;
const VERSION = 'v1';
/** Longer segments are rarely typing errors. */
const MAX_COMPARED_LENGTH = 40;

/**
 * Suggests operations for a path without a route: `POST /v1/activity` for `/activity`. The search is cheap, because any
 * caller can trigger it.
 */
export function findNear(paths: Paths, { method, path }: { method: string; path: string }): string[] {
  const requested = toSegments(path);
  const variants = requested[0] === VERSION ? [requested] : [requested, [VERSION, ...requested]];
  return [...paths]
    .flatMap(([url, methods]) => {
      const pattern = toSegments(url);
      const edits = Math.min(...variants.map((variant) => pathEdits(variant, pattern)));
      if (edits > MAX_EDITS) return [];
      const shown = methods.has(method) ? [method] : [...methods].filter((one) => one !== 'HEAD').sort();
      const rank = edits + (methods.has(method) ? 0 : METHOD_EDITS);
      return [{ rank, text: `${shown.join(', ')} ${url}` }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_NEAR)
    .map(({ text }) => text);
}

const toSegments = (path: string) => path.split('/').filter((segment) => segment !== '');

/** Parameters match any segment. Returns more than `MAX_EDITS` when the path is not similar. */
function pathEdits(requested: readonly string[], pattern: readonly string[]): number {
  if (requested.length !== pattern.length || requested.length === 0) return MAX_EDITS + 1;
  let edits = 0;
  for (const [index, segment] of requested.entries()) {
    const part = pattern[index] ?? '';
    if (part.startsWith(':') || part === segment) continue;
    if (Math.abs(part.length - segment.length) > MAX_EDITS || segment.length > MAX_COMPARED_LENGTH)
      return MAX_EDITS + 1;
    edits += distance(segment, part);
    if (edits > MAX_EDITS) break;
  }
  return edits;
}

/** Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++) {
      const replaced = (row[at] ?? 0) + (from[index] === to[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
